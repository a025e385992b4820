import { styleText } from 'node:util';

/** Who speaks in the demo, and the colour of each on a terminal. */
const voices = {
  Customer: 'cyan',
  Agent: 'blue',
  Purser: 'green',
  Approver: 'magenta',
  Shop: 'yellow',
  Platform: 'gray',
  /** Goes on with what the last one said. */
  '': 'gray',
} as const;
export type Voice = keyof typeof voices;

const margin = 10;
/** Colours appear on a terminal alone, and not where NO_COLOR asks for none. */
const paint = (colour: Parameters<typeof styleText>[0], text: string): string =>
  styleText(colour, text, { stream: process.stdout });

/** One line of the conversation; further lines stand below it. */
export function says(voice: Voice, text: string, colour: Parameters<typeof styleText>[0] = voices[voice]): void {
  const [first = '', ...rest] = text.split('\n');
  console.log(`${paint(['bold', voices[voice]], voice.padEnd(margin))}${paint(colour, first)}`);
  for (const line of rest) console.log(`${' '.repeat(margin)}${paint(colour, line)}`);
}

export const heading = (text: string): void => console.log(`\n${paint('bold', text)}\n`);
export const plain = (text: string): void => console.log(text);
