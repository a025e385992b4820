/** A state, a trigger, and where it leads; nowhere where no row joins them. */
export interface Transition {
  readonly machine: string;
  readonly from: string;
  readonly trigger: string;
  readonly to?: string | undefined;
}

/** What a run did to the machines. */
export interface TransitionsOfRun {
  readonly rows: readonly Transition[];
  readonly refused: readonly Transition[];
}
