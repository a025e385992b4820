/**
 * A merchant's assistant in the terminal, on the `openai` package. It asks before anything that needs a person:
 *
 *   OPENAI_API_KEY=… npx tsx examples/openai.ts
 *
 * Purser runs inside, on its sandbox in memory. OPENAI_BASE_URL and MODEL name another server and model.
 */
import { createInterface } from 'node:readline/promises';
import OpenAI from 'openai';
import { compose, loadConfiguration } from 'purser';
import { openaiTools } from 'purser/openai';

const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: 'you> ' });
const purser = await compose(await loadConfiguration({ PURSER_DATA: ':memory:', PURSER_TOOLSETS: 'all' }));
const caller = { tenant: 'default', principal: 'assistant' };
const { chat, run } = openaiTools(purser.engine, {
  approve: async ({ text }) => {
    const said = await terminal.question(`\n${text}\n\nApprove this? (yes/no) `);
    return said === 'yes' ? 'approve' : 'deny';
  },
});

const openai = new OpenAI();
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'system', content: 'You assist a merchant. Use the tools; say plainly what is done, refused or unknown.' },
];

terminal.prompt();
for await (const content of terminal) {
  messages.push({ role: 'user', content });
  for (;;) {
    const model = process.env.MODEL ?? 'gpt-5-mini';
    const { choices } = await openai.chat.completions.create({ model, messages, tools: chat });
    const message = choices[0]?.message;
    if (message === undefined) break;
    messages.push(message);
    if (message.content !== null) console.log(`assistant> ${message.content}`);
    if (message.tool_calls === undefined) break;
    for (const call of message.tool_calls) messages.push(await run(call, caller));
  }
  terminal.prompt();
}
await purser.close();
