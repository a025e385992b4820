import { createInterface } from 'node:readline/promises';

/** Whether a person can read the output and answer. */
export const hasTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks a yes-or-no question on the terminal. Everything but a plain yes is a no, including the end of the input. */
export async function confirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return isYes(await Promise.race([terminal.question(`${question} [y/N] `), ended]));
  } finally {
    terminal.close();
  }
}

/** Whether an answer is a plain yes. */
export const isYes = (answer: string): boolean => /^y(es)?$/i.test(answer.trim());
