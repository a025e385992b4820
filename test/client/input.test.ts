import { describe, expect, it } from 'vitest';
import { createClientOf } from '../../src/client/client.ts';
import { InvalidCall } from '../../src/client/errors.ts';
import { plans, settings } from './plans.ts';
import { canary, clientOn, confirmation, confirmed, printed, recorder, rejection } from './support.ts';

describe('an input that does not fit', () => {
  it.each([
    '',
    '.',
    '..',
    '../tokens',
    '..%2ftokens',
    '%2e%2e',
    '%2E%2E%2Fx',
    'a/b',
    'a\\b',
    'a?b=c',
    'a#b',
    'a;b',
    'a b',
    'a\n',
    'a\r\nx: y',
    'a\u0000',
    'é',
    '．．',
    '‥',
    '∕',
    'ａ',
    '\u202eab',
    'a\u200b',
    '😀',
    'a@b',
    '{id}',
    '%',
    'a'.repeat(129),
  ])('is refused before sending: path name %j', async (instructionID) => {
    const { requests, platform } = recorder(confirmed, 202);
    const error = await rejection(
      clientOn(platform).confirmTransaction({ ...structuredClone(confirmation), instructionID } as never),
    );
    expect(error).toStrictEqual(new InvalidCall('confirmTransaction', ['instructionID']));
    expect(requests).toStrictEqual([]);
  });

  it.each([[undefined], [null], [7], [['ins-1']], [{ toString: () => 'ins-1' }]])(
    'is refused before sending: a path name that is no text, %j',
    async (instructionID) => {
      const { requests, platform } = recorder(confirmed, 202);
      const error = await rejection(
        clientOn(platform).confirmTransaction({ ...structuredClone(confirmation), instructionID } as never),
      );
      expect(error).toStrictEqual(new InvalidCall('confirmTransaction', ['instructionID']));
      expect(requests).toStrictEqual([]);
    },
  );

  it('is refused with the paths of its body and no value', async () => {
    const { requests, platform } = recorder(confirmed, 202);
    const body = {
      clientCorrelationId: canary,
      confirmationData: [{ processorInformation: { transactionType: canary } }],
    };
    const error = await rejection(clientOn(platform).confirmTransaction({ instructionID: 'ins-1', body } as never));
    expect(error).toStrictEqual(
      new InvalidCall('confirmTransaction', [
        'body.clientCorrelationId',
        'body.confirmationData[].clientReferenceInformation',
        'body.confirmationData[].processorInformation.transactionType',
        'body.confirmationData[].processorInformation.transactionStatus',
      ]),
    );
    expect(printed(error)).not.toContain(canary);
    expect(requests).toStrictEqual([]);
  });

  it('is refused where body or query are missing as a whole', async () => {
    const { requests, platform } = recorder({ totalCount: 0 });
    expect([
      await rejection(clientOn(platform).enrollCard({} as never)),
      await rejection(createClientOf(plans, { ...settings, platform }).listPlans({} as never)),
    ]).toStrictEqual([new InvalidCall('enrollCard', ['body']), new InvalidCall('listPlans', ['query'])]);
    expect(requests).toStrictEqual([]);
  });
});

describe('the base URL', () => {
  it.each([
    'not an address',
    'ftp://platform.example',
    'https://user:pass@platform.example',
    'https://platform.example/base',
    'https://platform.example/?a=b',
    'http://platform.example',
    'http://127.0.0.1.example',
  ])('is refused without repeating it: %s', (baseUrl) => {
    const { platform } = recorder(undefined);
    try {
      clientOn(platform, baseUrl);
      expect.unreachable();
    } catch (error) {
      expect((error as Error).message).toMatch(/^The (base )?URL /);
      expect(printed(error).split('\n')[0]).not.toContain(baseUrl);
    }
  });
});
