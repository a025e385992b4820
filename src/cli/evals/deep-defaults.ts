/** How much `purser eval mutate --deep` does by itself. Apart from the command, because its help says so without reading it. */
export const deepDefaults = {
  /** Bugs. */
  sample: '200',
  /** Threads. */
  lanes: '2',
  /** Scenarios with one bug: more than there are, because the one that notices it may be the last. */
  most: '1000',
} as const;
