import type { StartedTestContainer } from "testcontainers";

import type { RunningService, Unavailable } from "./service.ts";

interface ContainerOptions {
  readonly image: string;
  readonly command: string[];
  readonly environment?: Record<string, string>;
  readonly port: number;
  readonly log?: ((line: string) => void) | undefined;
  /** Builds the service's URL from the host and port of the container. */
  url(host: string, port: number): string;
}

/**
 * Runs an image and waits until its port answers. Unavailable without a container engine or when the
 * image cannot be pulled.
 */
export async function startContainer(
  options: ContainerOptions,
): Promise<RunningService | Unavailable> {
  // Loaded lazily: it takes half a second that the other ways of starting do not need.
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
    description: `container ${options.image}`,
    async stop() {
      await container.stop();
    },
  };
}
