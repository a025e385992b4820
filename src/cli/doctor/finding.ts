/** What the doctor found about one thing. Nothing in it is secret. */
export interface Finding {
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly about: string;
  readonly found: string;
  /** What leads out, where not all is well. */
  readonly todo?: string;
}

export const ok = (about: string, found: string): Finding => ({ verdict: 'ok', about, found });
export const warn = (about: string, found: string, todo: string): Finding => ({ verdict: 'warn', about, found, todo });
export const fail = (about: string, found: string, todo: string): Finding => ({ verdict: 'fail', about, found, todo });
