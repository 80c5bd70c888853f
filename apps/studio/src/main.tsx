import "./styles/tokens.css";
import "./styles/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { onResponse } from "./api.ts";
import { App } from "./app.tsx";
import { queryClient } from "./data/queries.ts";
import { recordAllowance } from "./data/rate-limits.ts";
import { pages } from "./routes.tsx";
import { startSession } from "./session.ts";

const base = "/studio";

onResponse(recordAllowance);
void startSession();
// The code of the page arrives while the session is read.
const path = location.pathname.slice(base.length) || "/";
void pages.find((page) => page.path === path)?.load();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Router base={base}>
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
