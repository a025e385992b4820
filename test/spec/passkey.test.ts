import { describe, expect, it } from 'vitest';
import { passkey } from '../../src/domains/passkey/contract.ts';
import { iframeFields } from '../../src/domains/passkey/iframe.ts';
import { authentication } from '../../src/domains/passkey/machines.ts';
import { commerceIndicators } from '../../src/domains/passkey/payment-shapes.ts';
import { section, table } from './document.ts';
import { parts } from './shape.ts';

const page = 'document-1.md';
const operations = Object.values(passkey);

describe('the five operations', () => {
  it('have the names, methods and paths of the document, and no others', () => {
    const ours = operations.map((it) => [it.title, it.method, it.template]);
    expect(ours).toEqual(table(page, 'Endpoints of tokenized card authentication'));
  });
});

const plain = (path: string) => path.replace(/\[\]/g, '');
const device = table(page, 'Device information object (passkey requests)');
const leavesOf = (name: keyof typeof passkey) => {
  const { body } = passkey[name];
  if (body === undefined) throw new Error('every operation has a body');
  return parts(body).filter(({ type }) => type !== 'object' && type !== 'array');
};
const required = (name: keyof typeof passkey) =>
  leavesOf(name)
    .flatMap(({ always, path }) => (always ? [plain(path)] : []))
    .toSorted();
const optional = (name: keyof typeof passkey) =>
  leavesOf(name).flatMap(({ always, path }) => (always ? [] : [plain(path)]));

/** `a.b.name and .url` are two fields of one object, and so on. */
function fields(sentence: string): readonly string[] {
  let parent = '';
  return sentence
    .split(/; | and |, /)
    .map((text) => text.trim().replace(/ \(.*$/, ''))
    .flatMap((text) => {
      if (text.startsWith('.')) return [`${parent}${text}`];
      parent = text.split('.').slice(0, -1).join('.');
      return text === 'the eleven deviceInformation fields above' ? device.map(([field = '']) => field) : [text];
    });
}

describe('the device information', () => {
  it('has the eleven fields of the document, all required, of the printed types', () => {
    expect(device).toHaveLength(11);
    for (const name of [
      'createAuthenticationOptions',
      'createAuthenticationRegistration',
      'createPaymentCredentials',
    ] as const) {
      const ours = leavesOf(name).filter(({ path }) => path.startsWith('deviceInformation.'));
      expect(ours.map(({ path, type, always }) => [path, type, always])).toEqual(
        device.map(([field, type]) => [field, type, true]),
      );
    }
  });
});

describe('the requests', () => {
  const registration = section(page, 'Authentication registration');

  it('of registration require what the document requires, with the telephone number as the one optional field', () => {
    const [, said = ''] = /^Required fields: (.*?)\. Optional:/.exec(registration) ?? [];
    expect(required('createAuthenticationRegistration')).toEqual(fields(said).toSorted());
    expect(optional('createAuthenticationRegistration')).toEqual(['orderInformation.billTo.phoneNumber']);
    expect(registration).toContain('Optional: orderInformation.billTo.phoneNumber.');
  });

  it('of authentication options require what the document requires, and nothing else', () => {
    const [, said = ''] = /The authentication-options request requires: (.*?)\.$/m.exec(registration) ?? [];
    expect(required('createAuthenticationOptions')).toEqual(fields(said).toSorted());
    expect(optional('createAuthenticationOptions')).toEqual([]);
  });

  it('of codes have the fields of the document', () => {
    const [create = [], validate = []] = table(page, 'OTP creation and validation');
    const named = (row: readonly string[]) =>
      [...(row[1] ?? '').matchAll(/(\w[\w.]*) \(required(?: when)?/g)].map(([, name]) => name);
    expect(required('createOneTimePassword')).toEqual(named(create).toSorted());
    expect([...required('validateAuthenticationCode'), ...optional('validateAuthenticationCode')].toSorted()).toEqual(
      named(validate).toSorted(),
    );
    expect(optional('validateAuthenticationCode')).toEqual(['otp', 'issuerAuthCode']);
    expect(validate[1]).toContain('otp (required when issuerAuthCode is absent)');
  });

  it('of payment credentials require what the document requires; only the locality depends on the country', () => {
    const text = section(page, 'Payment credentials with authenticated passkey credentials');
    for (const field of ['address1', 'administrativeArea', 'country', 'email', 'firstName', 'lastName', 'postalCode'])
      expect(required('createPaymentCredentials')).toContain(`orderInformation.billTo.${field}`);
    for (const field of ['data', 'id', 'provider', 'relyingPartyId'])
      expect(required('createPaymentCredentials')).toContain(`authenticatedIdentities.${field}`);
    expect(text).toMatch(/`data`, `id`, `provider`, `relyingPartyId`|data, id, provider, relyingPartyId/);
    expect(optional('createPaymentCredentials')).toEqual([
      'orderInformation.billTo.locality',
      'authenticatedIdentities.userAuthenticationMethod',
    ]);
  });
});

describe('the answers', () => {
  it('of authentication options hold the fields of the document', () => {
    const ours = parts(passkey.createAuthenticationOptions.output[200]).map(({ path }) => path);
    for (const [field = ''] of table(page, 'Authentication-options response')) expect(ours).toContain(field);
  });

  it('of payment credentials hold the fields of the document', () => {
    const ours = parts(passkey.createPaymentCredentials.output[200]).map(({ path }) => path);
    const printed = table(page, 'Payment credentials with authenticated passkey credentials').flatMap(
      ([field = '']) => {
        const [first = '', ...more] = field.split(' / ');
        const parent = first.split('.').slice(0, -1).join('.');
        return [first, ...more.map((name) => `${parent}.${name}`)];
      },
    );
    expect(printed.filter((field) => !ours.includes(field))).toEqual([]);
    expect(printed).toHaveLength(18);
  });

  it('hold nothing that the document does not print, and all that it prints of codes and of a registration', () => {
    const [options = [], validated = []] = [
      table(page, 'Authentication-options response').map(([field = '']) => field),
      ['action'],
    ];
    const [[, , codes = ''] = []] = table(page, 'OTP creation and validation');
    const shownOf = {
      createAuthenticationOptions: options,
      createOneTimePassword: codes.split(', ').slice(0, 3),
      validateAuthenticationCode: validated,
      createAuthenticationRegistration: ['id', 'endpoint', 'payload', 'platformType'].map(
        (name) => `authenticationContext.${name}`,
      ),
    } as const;
    for (const [name, shown] of Object.entries(shownOf)) {
      const { output } = passkey[name as keyof typeof shownOf];
      for (const schema of Object.values(output)) {
        const ours = parts(schema).flatMap(({ path, type }) =>
          type === 'object' && !path.endsWith('[]') ? [] : [path],
        );
        expect([name, ours.toSorted()]).toEqual([name, [...shown].toSorted()]);
      }
    }
  });

  it('pair eci and commerceIndicator as the document does (PK-11)', () => {
    const text = section(page, 'Payment credentials with authenticated passkey credentials');
    expect(text).toMatch(/`eci` 05 with commerceIndicator `vbv` and `eci` 07 with commerceIndicator `internet`/);
    expect(commerceIndicators).toEqual({ '05': 'vbv', '07': 'internet' });
  });
});

it('maps the fields of the iframe as the document does, all twenty of them (PK-12)', () => {
  expect(iframeFields.map((row) => [...row])).toEqual(
    table(page, 'Iframe field mapping (platform field to iframe field)'),
  );
  expect(iframeFields).toHaveLength(20);
});

describe('State table: Passkey authentication actions', () => {
  // Our word for a phrase of the document: the table prints steps and results, the machine states and triggers.
  const triggers: Readonly<Record<string, readonly [state: string, trigger: string]>> = {
    'Create authentication options': ['none', 'options'],
    'Validate OTP or issuer code': ['STEP_UP_AUTHENTICATE', 'validate'],
    'step-up via app-to-app, customer service or outbound call': ['STEP_UP_AUTHENTICATE', 'approve'],
    'Create authentication registration': ['AUTHENTICATION_REGISTRATION', 'register'],
  };
  const results: Readonly<Record<string, string>> = {
    'notification that binding was approved': 'AUTHENTICATION_REGISTRATION',
    'returns authenticationContext': 'REGISTRATION_CREATED',
  };

  it('has the rows of the document, all of them and no others, in its order', () => {
    const document = table(page, 'State table: Passkey authentication actions').map(
      ([step = '', result = '', meaning = '', next = '']) => {
        // A label of a diagram can't hold a semicolon.
        const condition = (result === 'notification that binding was approved' ? result : meaning).replace(';', ',');
        return [...(triggers[step] ?? []), condition, results[result] ?? result, next];
      },
    );
    expect(authentication.rows.map((row) => [...row])).toEqual(document);
    expect(authentication.source).toBe('document 1');
  });

  it('demands before each step what the document demands', () => {
    const text = section(page, 'State table: Passkey authentication actions');
    expect(text).toContain('Creating an OTP requires that `STEP_UP_AUTHENTICATE` was returned first.');
    expect(text).toContain('Creating a registration requires that `AUTHENTICATION_REGISTRATION` was received first.');
    const from = (trigger: string) =>
      authentication.states.filter((state) => authentication.move({ state, action: '' }, trigger as 'send').ok);
    expect(from('send')).toEqual(['STEP_UP_AUTHENTICATE']);
    expect(from('register')).toEqual(['AUTHENTICATION_REGISTRATION', 'REGISTRATION_CREATED']);
  });
});
