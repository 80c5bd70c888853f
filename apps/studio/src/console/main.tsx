import "../styles/tokens.css";
import "../styles/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { queryClient } from "../data/queries.ts";
import { App } from "./app.tsx";
import { startSession } from "./session.ts";

void startSession();

const root = document.getElementById("root");
if (root === null) throw new Error("console.html has no element #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Router base="/admin">
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
