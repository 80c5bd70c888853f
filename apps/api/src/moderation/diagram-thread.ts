/** Checks diagrams in the thread of the rules. */
export { findProblem as default } from "@atelier/diagrams/check";
