/** How much `purser eval mutate --deep` does by itself. Apart from the command, because its help says so without reading it. */
export const deepDefaults = {
  /** Bugs. */
  sample: '200',
  /** Threads. */
  lanes: '2',
  /** Scenarios with one bug. More than any domain has, so that what a build works out when it is loaded meets all of its domain. */
  most: '200',
} as const;
