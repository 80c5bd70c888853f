import { callerProgram } from "./caller-program.ts";
import { runProgram } from "./run-program.ts";
import { attachToProcess } from "./surroundings.ts";

process.exitCode = await runProgram(callerProgram, process.argv.slice(2), attachToProcess());
