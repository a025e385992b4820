/**
 * What a start offers. `full`: every selected tool. `read-only`: those that change nothing. `operator`: the same for agents, and the
 * commands of operators that generate keys (D-32).
 */
export const profiles = ['full', 'read-only', 'operator'] as const;
