import { useEffect, useState } from "react";

/** Seconds until a time in milliseconds since 1970, rounded up, counted down; 0 from then on. */
export function useSecondsUntil(time: number): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    function tick(): void {
      const left = Math.max(0, Math.ceil((time - Date.now()) / 1_000));
      setSeconds(left);
      if (left === 0) clearInterval(timer);
    }
    const timer = setInterval(tick, 250);
    tick();
    return () => clearInterval(timer);
  }, [time]);
  return seconds;
}
