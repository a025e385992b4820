import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/cli/config.ts';
import { sdkConfiguration } from '../../src/domains/device/sdk-configuration.ts';
import { fileWith, folder, run, start } from '../faces/cli.ts';
import { dial, inbox, report } from '../reader/app.ts';
import { table } from './document.ts';

// Document 3, "SDK objects": the configuration that the app builds the SDK with, by the document's own row.

const [, text = ''] = table('document-3-device.md', 'SDK objects').find(([name]) => name === 'Configuration') ?? [];
/** `summaryFeatures (set of .refundTransaction, …)` → its members with their values; the default is marked. */
const printed = new Map(
  [...text.matchAll(/(\w+(?:\.\w+)?) \(([^)]*)\)/g)].map(([, member = '', values = '']) => [member, values]),
);
const valuesOf = (member: string): readonly string[] => {
  const values = printed.get(member) ?? '';
  return member.startsWith('enrollment')
    ? member.endsWith('Method')
      ? ['deviceList', 'manualInput']
      : ['showWithSerialNumber', 'skip']
    : [...values.matchAll(/\.(\w+)/g)].map(([, value = '']) => value);
};
/** A configuration of one member. */
const only = (member: string, value: unknown): object =>
  member
    .split('.')
    .toReversed()
    .reduce<unknown>((inner, name) => ({ [name]: inner }), value) as object;

describe('the configuration of the SDK', () => {
  it('has the members of the document, and no other', () => {
    expect([...printed.keys()]).toEqual([
      ...['summaryFeatures', 'resultConfiguration', 'signatureCapture'],
      ...['serialNumberInputMethod', 'confirmationScreenOption'].map((name) => `enrollmentConfiguration.${name}`),
    ]);
    expect(sdkConfiguration().safeParse({ another: 1 }).success).toBe(false);
  });

  it.each([
    'resultConfiguration',
    'signatureCapture',
    'enrollmentConfiguration.serialNumberInputMethod',
    'enrollmentConfiguration.confirmationScreenOption',
  ])('%s has the values of the document, and its default', (member) => {
    const values = valuesOf(member);
    expect(values.length).toBeGreaterThan(1);
    for (const value of values) {
      expect(printed.get(member)).toContain(value);
      expect(sdkConfiguration().parse(only(member, value))).toMatchObject(only(member, value));
    }
    expect(sdkConfiguration().safeParse(only(member, 'another')).success).toBe(false);
    expect(printed.get(member)).toMatch(new RegExp(`${values[0]} default|${values[0]}.*default`));
    expect(sdkConfiguration().parse({})).toMatchObject(only(member, values[0]));
  });

  it('takes every feature of the summary, and by default none that moves money (D-96)', () => {
    const features = valuesOf('summaryFeatures');
    expect(features).toHaveLength(6);
    expect(sdkConfiguration().parse({ summaryFeatures: features }).summaryFeatures).toEqual(features);
    expect(sdkConfiguration().safeParse({ summaryFeatures: ['another'] }).success).toBe(false);
    expect(sdkConfiguration().parse({}).summaryFeatures).toEqual(['sendReceiptViaEmail']);
  });
});

describe('the settings of `device`', () => {
  const settings =
    'device:\n  signatureCapture: onReceipt\n  enrollmentConfiguration:\n    serialNumberInputMethod: manualInput\n';

  it('are told to the app when it connects, with what was left out as its default', async () => {
    const data = folder();
    const served = start([
      'serve',
      '--port',
      '0',
      '--data',
      data,
      '--config',
      fileWith(settings, 'purser.config.yaml'),
      '--json',
    ]);
    const { url, tokens } = JSON.parse(await served.line());
    const at = `${new URL(url).origin.replace('http', 'ws')}/reader`;
    const socket = dial({ url: at }, { token: readFileSync(tokens.reader, 'utf8').trim() });
    const { next } = inbox(socket);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'hello', reader: report }));
    expect(await next()).toMatchObject({
      type: 'welcome',
      configuration: {
        ...{ summaryFeatures: ['sendReceiptViaEmail'], resultConfiguration: 'displayIndefinitely' },
        signatureCapture: 'onReceipt',
        enrollmentConfiguration: {
          serialNumberInputMethod: 'manualInput',
          confirmationScreenOption: 'showWithSerialNumber',
        },
      },
    });
  });

  it('have their defaults without a file, and a wrong one is refused in one line', async () => {
    expect(readConfiguration({}).sdk).toEqual(sdkConfiguration().parse({}));
    const config = fileWith('device:\n  signatureCapture: sometimes\n', 'purser.config.yaml');
    const { code, err } = await run(['serve', '--port', '0', '--config', config, '--data', folder()]);
    expect([code, err.trim().split('\n').length, err.includes('device.signatureCapture')]).toEqual([2, 1, true]);
  });
});
