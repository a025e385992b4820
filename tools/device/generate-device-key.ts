import { z } from 'zod';
import { quoted } from '../../src/engine/approval-text.ts';
import { momentText, untrusted } from '../../src/engine/render.ts';
import { handleShown, momentShown, stateShown } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { field } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';

const key = field('generateDeviceKey');

export const generateDeviceKey: ToolSpec<'generateDeviceKey'> = {
  description:
    'Generate a secret key with which acceptance devices of a merchant ID sign in. It exists until it is revoked in the merchant portal.',
  input: {
    args: () => ({ organization: key('keyInformation[].organizationId', 'Merchant ID that the key is for.') }),
  },
  policy: {
    lockKey: ({ args }) => `device key ${String(args.organization)}`,
    approval: {
      needed: always,
      title: () => 'Generate a secret key for acceptance devices',
      text: ({ args, merchant }) => [
        `Merchant: ${quoted(merchant.name)}`,
        `Merchant ID: ${quoted(String(args.organization))}`,
        'Whoever has the key can take payments in the name of this merchant.',
        'The platform shows it once. Purser writes it to a file of the operator.',
      ],
    },
  },
  observe: {
    observations: ({ args }, _, { sealed }) => [
      {
        kind: 'deviceKey',
        state: sealed?.shown.status ?? '',
        body: {
          keyId: sealed?.shown.keyId,
          organization: args.organization,
          expires: sealed?.shown.expires,
          expiresAt: sealed?.kept?.expiresAt,
          secret: sealed?.kept?.reference,
        },
      },
    ],
  },
  present: {
    messages: { done: 'The key is generated. The command that asked for it writes it to a file, once.' },
    next: { '': { tools: [], because: 'The key is not for an agent.' } },
    outputSchema: () =>
      z.looseObject({
        key: handleShown,
        state: stateShown,
        expires: momentShown,
        collectBy: momentShown,
      }),
    toOutput: ({ deviceKey: it }) => ({
      key: it?.handle,
      state: it && untrusted(it.state),
      expires: it && momentText(it.body.expires),
      collectBy: it && new Date(it.body.expiresAt).toISOString(),
    }),
  },
};
