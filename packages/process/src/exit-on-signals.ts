/**
 * Ends the process on SIGTERM and SIGINT. As PID 1 of a container, a process without handlers ignores
 * these signals, and loading a program takes about a second: call this before, in a module that imports
 * nothing else.
 *
 * @returns a function that removes the handlers.
 */
export function exitOnSignals(): () => void {
  const exits = { SIGTERM: () => process.exit(128 + 15), SIGINT: () => process.exit(128 + 2) };
  for (const [signal, exit] of Object.entries(exits)) process.on(signal, exit);
  return () => {
    for (const [signal, exit] of Object.entries(exits)) process.off(signal, exit);
  };
}
