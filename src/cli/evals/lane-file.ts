/** The thread that replays scenarios beside others; the build puts the place of its own in here. From the sources there is one thread. */
export const laneFile: URL | undefined = undefined;
