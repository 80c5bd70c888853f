import type { StartedTestContainer } from "testcontainers";

import type { RunningService, Unavailable } from "./service.ts";

export interface ContainerOptions {
  readonly image: string;
  readonly command: string[];
  readonly environment?: Record<string, string>;
  readonly port: number;
  readonly log?: ((line: string) => void) | undefined;
  /** The service's URL, from where its port is reached. */
  url(host: string, port: number): string;
}

/**
 * Runs an image until its port answers. Unavailable when no container engine does, or the image
 * cannot be had.
 */
export async function startContainer(
  options: ContainerOptions,
): Promise<RunningService | Unavailable> {
  // Loaded here because it takes half a second, which the other ways of starting do not need.
  const { GenericContainer, getContainerRuntimeClient } = await import("testcontainers");
  try {
    await getContainerRuntimeClient();
  } catch {
    return { unavailable: "no container engine answers" };
  }
  options.log?.(`starting ${options.image}`);
  let container: StartedTestContainer;
  try {
    container = await new GenericContainer(options.image)
      .withCommand(options.command)
      .withEnvironment(options.environment ?? {})
      .withExposedPorts(options.port)
      .start();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { unavailable: `${options.image} does not start: ${reason}` };
  }
  return {
    url: options.url(container.getHost(), container.getMappedPort(options.port)),
    how: `container ${options.image}`,
    async stop() {
      await container.stop();
    },
  };
}
