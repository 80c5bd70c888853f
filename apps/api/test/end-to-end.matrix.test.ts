import { describeStacks } from "@atelier/testing";
import { testEndToEnd } from "./support/end-to-end.ts";

// On every combination of queue and storage.
describeStacks("end to end", { all: true }, testEndToEnd);
