/**
 * A merchant's assistant in the terminal, on LangChain's `createAgent`. Its human-in-the-loop middleware interrupts the agent
 * for whatever needs a person:
 *
 *   OPENAI_API_KEY=… npx tsx examples/langchain.ts
 *
 * Purser runs inside, on its sandbox in memory. OPENAI_BASE_URL and MODEL name another server and model.
 */
import { createInterface } from 'node:readline/promises';
import { Command, INTERRUPT, isInterrupted, MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, type Decision, type HITLRequest, humanInTheLoopMiddleware } from 'langchain';
import { compose, loadConfiguration } from 'purser';
import { langchainApprovals, langchainTools } from 'purser/langchain';

const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: 'you> ' });
const purser = await compose(await loadConfiguration({ PURSER_DATA: ':memory:', PURSER_TOOLSETS: 'all' }));
const caller = { tenant: 'default', principal: 'assistant' };
const approvals = langchainApprovals(purser.engine, caller);
const agent = createAgent({
  model: new ChatOpenAI({ model: process.env.MODEL ?? 'gpt-5-mini' }),
  tools: await langchainTools(purser.engine, caller, { approvals }),
  systemPrompt: 'You assist a merchant. Use the tools; say plainly what is done, refused or unknown.',
  middleware: [humanInTheLoopMiddleware({ interruptOn: approvals.interruptOn }), approvals.middleware],
  checkpointer: new MemorySaver(),
});

/** Shows a person each call that waits, and asks for their decision. */
async function decide({ actionRequests }: HITLRequest): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (const { description } of actionRequests) {
    const said = await terminal.question(`\n${description}\n\nApprove this? (yes/no) `);
    decisions.push(said === 'yes' ? { type: 'approve' } : { type: 'reject', message: 'The merchant said no.' });
  }
  return decisions;
}

const thread = { configurable: { thread_id: 'terminal' } };
terminal.prompt();
for await (const content of terminal) {
  let state = await agent.invoke({ messages: [{ role: 'user', content }] }, thread);
  while (isInterrupted<HITLRequest>(state)) {
    const [interrupt] = state[INTERRUPT];
    const decisions = interrupt?.value === undefined ? [] : await decide(interrupt.value);
    state = await agent.invoke(new Command({ resume: { decisions } }), thread);
  }
  console.log(`assistant> ${state.messages.at(-1)?.text}`);
  terminal.prompt();
}
await purser.close();
