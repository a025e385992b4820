import type { DomainSettings, Facts } from '../domains/facts.ts';

/** The page on which a customer makes a call. A domain declares it with its tool; `src/console` renders it. */
export interface CustomerPage {
  /** The heading, a few words. */
  readonly title: string;
  /**
   * The introduction, one sentence per item. It may contain the platform's text, which the page renders as plain text.
   */
  readonly text: (facts: Facts) => readonly string[];
  /** What the customer compares before deciding. */
  readonly table?: (facts: Facts) => readonly (readonly [label: string, value: string])[];
  readonly fields: readonly PageField[];
  /** The label of the button, or a button for each choice. */
  readonly submit: string | PageChoice;
  /** The messages after success, and after a decline by the platform. */
  readonly messages: {
    readonly done: string;
    readonly declined: string;
    /** What stands instead of `done`, by the state that the call reached. */
    readonly reached?: Readonly<Record<string, string>>;
  };
  /** For a page that needs more than a form, such as a frame. */
  readonly module?: PageModule;
}

/** A choice that is taken with a button of its own. The buttons look alike, so that the page prefers none. */
export interface PageChoice {
  /** The argument of the tool that the choice fills. */
  readonly argument: string;
  readonly options: (facts: Facts) => readonly PageOption[];
}

export interface PageOption {
  readonly value: string;
  readonly label: string;
}

/** A field of the form, for an argument of the tool. */
export interface PageField {
  readonly argument: string;
  readonly label: string;
  readonly hint?: string;
  readonly type: 'text' | 'tel' | 'email' | 'password';
  readonly inputMode?: 'numeric' | 'text' | 'tel' | 'email';
  /** The HTML autocomplete value, such as `one-time-code`. */
  readonly autocomplete: string;
  readonly maxLength?: number;
}

/** A domain's script for its page. It imports `/act/page.js`. */
export interface PageModule {
  readonly script: string;
  /** Origins of its frames, for a page at `origin`; undefined if they are not configured: the page is then unavailable. */
  readonly frames: (configured: DomainSettings, origin: string) => readonly string[] | undefined;
  /** The initial data of the script. */
  readonly given: (facts: Facts, origin: string) => object;
  /** Converts the script's result to the call's arguments. */
  readonly read: (handed: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** A step that an agent waits for, because only the customer or the merchant's app can take it. */
export interface WaitingStep {
  /** The tool of the step, and its argument that names the thing. */
  readonly tool: string;
  readonly argument: string;
  /** The property of this tool's data with the handle of that thing. */
  readonly thing: string;
  /** The states of the thing in which the step is still open. */
  readonly states: readonly string[];
  /** The property of the thing that the link is bound to: if its value changes, the link becomes invalid. */
  readonly bound?: string;
  /** What must be done, where the tool's own message doesn't say so: one sentence that begins with who does it. */
  readonly says?: string;
  /**
   * Who hands the customer the link; by default the agent. A step that needs no proof of the customer, such as a choice, is the
   * app's: an agent that had the link could take it.
   */
  readonly linkedBy?: 'app';
  /** When the step expires, in milliseconds since the epoch. A link may expire earlier. */
  readonly until?: (thing: { readonly body: Readonly<Record<string, unknown>> }) => number | undefined;
}
