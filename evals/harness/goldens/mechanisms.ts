import { once } from '../../../src/core/once.ts';
import { agentsMechanisms } from './agents-mechanisms.ts';
import { answerMechanisms } from './answer-mechanisms.ts';
import { boundMechanisms } from './bound-mechanisms.ts';
import { callMechanisms } from './call-mechanisms.ts';
import { callerMechanisms } from './caller-mechanisms.ts';
import { clientMechanisms } from './client-mechanisms.ts';
import { concurrentMechanisms } from './concurrent-mechanisms.ts';
import { conversationMechanisms } from './conversation-mechanisms.ts';
import { customerPageMechanisms } from './customer-page-mechanisms.ts';
import { deliveryMechanisms } from './delivery-mechanisms.ts';
import { domainMechanisms } from './domain-mechanisms.ts';
import { engineMechanisms } from './engine-mechanisms.ts';
import { fileMechanisms } from './file-mechanisms.ts';
import { heardMechanisms } from './heard-mechanisms.ts';
import { indexMechanisms } from './index-mechanisms.ts';
import { inputMechanisms } from './input-mechanisms.ts';
import { ledgerMechanisms } from './ledger-mechanisms.ts';
import { limitMechanisms } from './limit-mechanisms.ts';
import { type Mechanisms, told } from './lines.ts';
import { lookupMechanisms } from './lookup-mechanisms.ts';
import { lostChargeMechanisms } from './lost-charge-mechanisms.ts';
import { machineMechanisms } from './machine-mechanisms.ts';
import { mcpMechanisms } from './mcp-mechanisms.ts';
import { moneyAndDates } from './money-and-dates.ts';

import { openSandboxMechanisms } from './open-sandbox-mechanisms.ts';

import { partMechanisms } from './part-mechanisms.ts';

import { questionMechanisms } from './question-mechanisms.ts';
import { readBackMechanisms } from './read-back-mechanisms.ts';
import { readerChangeMechanisms } from './reader-change-mechanisms.ts';
import { recoveryMechanisms } from './recovery-mechanisms.ts';
import { requestMechanisms } from './request-mechanisms.ts';
import { safeguardMechanisms } from './safeguard-mechanisms.ts';
import { sandboxMechanisms } from './sandbox-mechanisms.ts';
import { searchMechanisms } from './search-mechanisms.ts';
import { shapeMechanisms } from './shape-mechanisms.ts';
import { shownMechanisms } from './shown-mechanisms.ts';
import { stateMechanisms } from './state-mechanisms.ts';
import { stdioMechanisms } from './stdio-mechanisms.ts';
import { termMechanisms } from './term-mechanisms.ts';
import { toolMechanisms } from './tool-mechanisms.ts';
import { transportMechanisms } from './transport-mechanisms.ts';
import { writtenMechanisms } from './written-mechanisms.ts';

// What Purser works out by itself, at and beyond the bounds that stories rarely come to.

/** The mechanisms by title, in the order of their golden. */
const allMechanisms = once(
  (): Mechanisms =>
    Object.assign(
      {},
      moneyAndDates,
      clientMechanisms,
      fileMechanisms,
      ledgerMechanisms,
      safeguardMechanisms,
      engineMechanisms,
      inputMechanisms,
      callerMechanisms,
      limitMechanisms,
      stateMechanisms,
      requestMechanisms,
      agentsMechanisms,
      customerPageMechanisms,
      readBackMechanisms,
      recoveryMechanisms,
      lostChargeMechanisms,
      concurrentMechanisms,
      searchMechanisms,
      lookupMechanisms,
      toolMechanisms,
      answerMechanisms,
      transportMechanisms,
      stdioMechanisms,
      domainMechanisms,
      deliveryMechanisms,
      boundMechanisms,
      termMechanisms,
      callMechanisms,
      indexMechanisms,
      conversationMechanisms,
      mcpMechanisms,
      shapeMechanisms,
      machineMechanisms,
      heardMechanisms,
      questionMechanisms,
      writtenMechanisms,
      sandboxMechanisms,
      openSandboxMechanisms,
      shownMechanisms,
      partMechanisms,
      readerChangeMechanisms,
    ),
);

export const mechanismTitles = (): readonly string[] => Object.keys(allMechanisms());

/** One mechanism, as text for people. */
export async function mechanismText(title: string): Promise<string> {
  const lines = (await allMechanisms()[title]?.()) ?? [];
  return [headOf(title), ...lines.map(([given, comes]) => `  ${given}: ${told(comes)}`)].join('\n');
}

/** Every mechanism, as text for people. Made once: nothing that it depends on changes while a process runs. */
export const mechanismsText: () => Promise<string> = once(
  async () => `${(await Promise.all(mechanismTitles().map(mechanismText))).join('\n\n')}\n`,
);

/** What the text of all mechanisms says of one. */
export function mechanismIn(text: string, title: string): string {
  const titles = mechanismTitles();
  const next = titles[titles.indexOf(title) + 1];
  const from = text.startsWith(`${headOf(title)}\n`) ? 0 : text.indexOf(`\n\n${headOf(title)}\n`);
  const to = next === undefined ? text.length - 1 : text.indexOf(`\n\n${headOf(next)}\n`);
  return from < 0 || to < 0 ? '' : text.slice(from, to).trimStart();
}

const headOf = (title: string): string => `${title}:`;
