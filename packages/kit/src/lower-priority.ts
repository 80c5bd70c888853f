import { constants, getPriority, setPriority } from "node:os";

/** From the priority of a program to that of its work that may wait. */
const steps = 10;

/**
 * Gives work that may wait a lower priority than its program has, also where an operator chose that of the program.
 * Call it once for each process or thread.
 *
 * @param id of a thread in Linux, which has a priority of its own there (setpriority(2)). Default: this process, in
 *   Linux the calling thread.
 */
export function lowerPriority(id = 0): void {
  setPriority(id, Math.min(getPriority(id) + steps, constants.priority.PRIORITY_LOW));
}
