import { useMutation, type UseMutationOptions } from "@tanstack/react-query";
import { useRef } from "react";

/**
 * A mutation that ignores calls while one runs. It is for buttons that create something: the second click of a double
 * click may come before the button is disabled.
 */
export function useSingleMutation<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
) {
  const { mutateAsync, isPending, error } = useMutation(options);
  const isRunning = useRef(false);
  function mutate(variables: Variables): void {
    if (isRunning.current) return;
    isRunning.current = true;
    const end = () => {
      isRunning.current = false;
    };
    mutateAsync(variables).then(end, end);
  }
  return { mutate, isPending, error };
}
