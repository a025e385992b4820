import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillPath, operation, parseCall } from '../../src/core/operation.ts';
import { contract, domains } from '../../src/domains/index.ts';
import { agentError } from '../../src/domains/purchase/errors.ts';

const template = '/acp/v1/instructions/{instructionID}/credentials';

describe('a path', () => {
  it.each(['7f3c', 'a', 'A-b_c.d~e', '3f2b6c1e-0d5a-4c7e-9b1a-2f4d6e8a0c13', 'x'.repeat(128), '.hidden', 'a..b'])(
    'takes the id %s',
    (id) => {
      expect(fillPath({ template }, { instructionID: id })).toBe(`/acp/v1/instructions/${id}/credentials`);
    },
  );

  it.each([
    ['nothing', ''],
    ['a slash', 'a/b'],
    ['an escaped slash', 'a%2Fb'],
    ['a twice escaped slash', 'a%252Fb'],
    ['a backslash', 'a\\b'],
    ['this folder', '.'],
    ['the folder above', '..'],
    ['dots', '...'],
    ['a way up', '../../tms/v2/tokens'],
    ['an escaped way up', '%2e%2e'],
    ['a query', 'a?x=1'],
    ['a fragment', 'a#b'],
    ['a parameter', 'a;b'],
    ['a second value', 'a&b'],
    ['a blank', 'a b'],
    ['a tab', 'a\tb'],
    ['a line end', 'a\r\nHost: elsewhere'],
    ['a line end at the end', 'a\n'],
    ['a zero', 'a\0'],
    ['a name in braces', '{instructionID}'],
    ['a host', '//elsewhere.example'],
    ['an address', 'http://elsewhere.example'],
    ['a user', 'a@b'],
    ['a port', 'a:80'],
    ['a quote', "a'b"],
    ['letters that look alike', 'а'],
    ['a wide dot', '．．'],
    ['a slash of another script', 'a∕b'],
    ['a hidden sign', 'a\u200bb'],
    ['129 characters', 'x'.repeat(129)],
    ['replacement marks', '$&'],
  ])('refuses %s', (_, id) => {
    expect(() => fillPath({ template }, { instructionID: id })).toThrow(`The path name {instructionID} of ${template}`);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('takes no %s that nobody gave', (name) => {
    expect(() => fillPath({ template: `/x/{${name}}` }, {})).toThrow(`The path name {${name}}`);
  });

  it('needs every name, and leaves no brace behind', () => {
    expect(() => fillPath({ template: '/a/{one}/{two}' }, { one: '1' })).toThrow('{two}');
    expect(fillPath({ template: '/a/{one}/{two}/{one}' }, { one: '1', two: '2' })).toBe('/a/1/2/1');
    expect(fillPath({ template: '/acp/v1/tokens' }, { unused: '../..' })).toBe('/acp/v1/tokens');
  });

  it('keeps its route whatever it is filled with', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webPath()), (id) => {
        const filled = attempt(() => fillPath({ template }, { instructionID: id }));
        if (filled === undefined) return;
        expect(new URL(filled, 'https://platform.example').pathname).toBe(`/acp/v1/instructions/${id}/credentials`);
      }),
      { seed: 4217, numRuns: 1000 },
    );
  });
});

const attempt = <T>(deed: () => T): T | undefined => {
  try {
    return deed();
  } catch {
    return undefined;
  }
};

describe('a call', () => {
  it('is a method and a path, or a call of the SDK', () => {
    const calls = ['GET /a', 'POST /a/{b}', 'PUT /a', 'PATCH /a', 'DELETE /a', 'SDK startSale'];
    expect(calls.map((call) => parseCall(call).join(' '))).toEqual(calls);
  });

  it.each([
    '',
    'GET',
    '/a',
    'GET a',
    'get /a',
    'HEAD /a',
    'GET  /a',
    ' GET /a',
    'GET /a /b',
    'GET\t/a',
    'GET https://a/b',
    'SDK',
    'SDK /a',
    'SDK start Sale',
    'sdk startSale',
  ])('that reads %j is a mistake and throws', (call) => {
    expect(() => parseCall(call)).toThrow(`"${call}" is not "METHOD /path"`);
  });

  it('does not compile with a path name that it does not have', () => {
    const it = operation({
      call: 'GET /a/{id}',
      title: '',
      about: '',
      effect: 'read',
      recovery: 'repeat',
      shape: 'EN-01',
      output: () => ({}),
      error: agentError,
      // @ts-expect-error: the call says {id}
      path: { identifier: 'instruction.instructionId' },
    });
    expect([it.method, it.template]).toEqual(['GET', '/a/{id}']);
  });
});

describe('the contract', () => {
  const all = Object.entries(contract);

  it('holds every operation of every domain once', () => {
    const names = Object.values(domains).flatMap(({ contract: own }) => Object.keys(own));
    expect(all.map(([name]) => name)).toEqual(names);
    expect(new Set(all.map(([, it]) => it.call)).size).toBe(all.length);
  });

  it.each(all)('%s says all that is needed to call it', (name, it) => {
    const names = [...it.template.matchAll(/\{(\w+)\}/g)].map(([, found]) => found);
    const routes = [it.call, ...(it.also ?? [])];
    expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
    expect([it.title, it.about].filter((words) => words.trim() === '')).toEqual([]);
    expect(it.about).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys('path' in it ? it.path : {})).toEqual(names);
    expect(routes.map((route) => parseCall(route).join(' '))).toEqual(routes);
  });

  it('repeats after an unknown outcome only what replaces or ends one thing', () => {
    const recoveries = all.map(([name, it]) => [name, it.effect, it.recovery, it.method]);
    expect(recoveries, 'effect, recovery and method of every operation are listed here').toEqual([
      ['enrollCard', 'write', 'park', 'POST'],
      ['initiatePurchase', 'money', 'park', 'POST'],
      ['updatePurchase', 'money', 'repeat', 'PUT'],
      ['cancelPurchase', 'write', 'repeat', 'PUT'],
      ['retrieveCredentials', 'money', 'park', 'POST'],
      ['confirmTransaction', 'write', 'park', 'POST'],
      ['createAuthenticationOptions', 'write', 'repeat', 'POST'], // new options replace the former
      ['createOneTimePassword', 'write', 'never', 'POST'], // a second code is seen by its customer
      ['validateAuthenticationCode', 'write', 'park', 'POST'],
      ['createAuthenticationRegistration', 'write', 'repeat', 'POST'], // a new context replaces one that was not used
      ['createPaymentCredentials', 'money', 'park', 'POST'],
      ['offerConversion', 'read', 'repeat', 'POST'],
      ['chooseCurrency', 'write', 'repeat', 'GET'],
      ['authorizePayment', 'money', 'park', 'POST'],
      ['getPayment', 'read', 'repeat', 'GET'],
      ['reversePayment', 'money', 'readBack', 'POST'],
      ['capturePayment', 'money', 'park', 'POST'],
      ['getCapture', 'read', 'repeat', 'GET'],
      ['voidCapture', 'money', 'readBack', 'POST'],
      ['refundCapture', 'money', 'park', 'POST'],
      ['getRefund', 'read', 'repeat', 'GET'],
      ['voidRefund', 'money', 'readBack', 'POST'],
      ['createPlan', 'write', 'readBack', 'POST'],
      ['listPlans', 'read', 'repeat', 'GET'],
      ['getPlan', 'read', 'repeat', 'GET'],
      ['getPlanCode', 'read', 'repeat', 'GET'],
      ['amendPlan', 'money', 'repeat', 'PATCH'],
      ['activatePlan', 'write', 'readBack', 'POST'],
      ['deactivatePlan', 'write', 'readBack', 'POST'],
      ['deletePlan', 'write', 'repeat', 'DELETE'],
      ['createSubscription', 'money', 'readBack', 'POST'],
      ['listSubscriptions', 'read', 'repeat', 'GET'],
      ['getSubscription', 'read', 'repeat', 'GET'],
      ['getSubscriptionCode', 'read', 'repeat', 'GET'],
      ['updateSubscription', 'money', 'readBack', 'PATCH'], // another plan charges at once
      ['cancelSubscription', 'write', 'repeat', 'POST'],
      ['suspendSubscription', 'write', 'readBack', 'POST'],
      ['reactivateSubscription', 'money', 'readBack', 'POST'],
      ['listSubscriptionPayments', 'read', 'repeat', 'GET'],
      ['skipSubscriptionPayments', 'write', 'repeat', 'PUT'],
      ['getFollowOn', 'read', 'repeat', 'GET'],
      ['createFollowOnSubscription', 'money', 'readBack', 'POST'],
      ['createInvoice', 'write', 'readBack', 'POST'],
      ['listInvoices', 'read', 'repeat', 'GET'],
      ['getInvoice', 'read', 'repeat', 'GET'],
      ['updateInvoice', 'write', 'repeat', 'PUT'],
      ['sendInvoice', 'write', 'never', 'POST'], // a second e-mail is seen by its customer
      ['cancelInvoice', 'write', 'readBack', 'POST'],
      ['publishInvoice', 'write', 'readBack', 'POST'],
      ['getInvoiceSettings', 'read', 'repeat', 'GET'],
      ['updateInvoiceSettings', 'write', 'repeat', 'PUT'],
      ['listWebhookSubscriptions', 'read', 'repeat', 'GET'],
      ['listReportDefinitions', 'read', 'repeat', 'GET'],
      ['describeReportDefinition', 'read', 'repeat', 'GET'],
      ['listReportSubscriptions', 'read', 'repeat', 'GET'],
      ['getReportSubscription', 'read', 'repeat', 'GET'],
      ['saveReportSubscription', 'write', 'repeat', 'PUT'],
      ['deleteReportSubscription', 'write', 'repeat', 'DELETE'],
      ['requestReport', 'write', 'readBack', 'POST'],
      ['listReports', 'read', 'repeat', 'GET'],
      ['getReport', 'read', 'repeat', 'GET'],
      ['downloadReport', 'read', 'repeat', 'GET'],
      ['getConversionDetails', 'read', 'repeat', 'GET'],
      ['getNotificationOfChanges', 'read', 'repeat', 'GET'],
      ['getPurchaseRefundDetails', 'read', 'repeat', 'GET'],
      ['getNetFundings', 'read', 'repeat', 'GET'],
      ['getPaymentBatchSummaries', 'read', 'repeat', 'GET'],
      ['generateDeviceKey', 'write', 'park', 'POST'], // each request makes another key
      ['deviceStatus', 'read', 'repeat', 'SDK'],
      ['enrollDevice', 'write', 'repeat', 'SDK'], // the screens are opened again
      ['chargeDevice', 'money', 'readBack', 'SDK'],
      ['incrementPreauthorization', 'money', 'readBack', 'SDK'],
      ['capturePreauthorization', 'money', 'readBack', 'SDK'],
      ['refundDeviceTransaction', 'money', 'readBack', 'SDK'],
      ['refundWithoutOriginal', 'money', 'readBack', 'SDK'],
      ['lookupDeviceTransaction', 'read', 'repeat', 'SDK'],
      ['showDeviceSummary', 'read', 'repeat', 'SDK'],
      ['sendDeviceReceipt', 'write', 'never', 'SDK'],
    ]);
  });

  it('pulls for every operation that changes a thing the trigger that is named after it, and for no other', () => {
    const moves = all.map(([name, it]) => [name, it.moves?.machine.name, it.moves?.trigger]);
    expect(
      moves.filter(([, machine]) => machine !== undefined),
      'machine and trigger of every operation that moves a thing are listed here',
    ).toEqual([
      ['enrollCard', 'card', 'enroll'],
      ['initiatePurchase', 'instruction', 'initiate'],
      ['updatePurchase', 'instruction', 'update'],
      ['cancelPurchase', 'instruction', 'cancel'],
      ['retrieveCredentials', 'instruction', 'retrieve'],
      ['confirmTransaction', 'instruction', 'confirm'],
      ['createAuthenticationOptions', 'authentication', 'options'],
      ['createOneTimePassword', 'authentication', 'send'],
      ['validateAuthenticationCode', 'authentication', 'validate'],
      ['createAuthenticationRegistration', 'authentication', 'register'],
      ['createPaymentCredentials', 'authentication', 'release'],
      ['offerConversion', 'offer', 'offer'],
      ['chooseCurrency', 'offer', 'choose'],
      ['authorizePayment', 'charge', 'authorize'],
      ['reversePayment', 'charge', 'reverse'],
      ['capturePayment', 'charge', 'capture'],
      ['voidCapture', 'capture', 'void'],
      ['refundCapture', 'capture', 'refund'],
      ['voidRefund', 'refund', 'void'],
      ['createPlan', 'plan', 'create'],
      ['amendPlan', 'plan', 'amend'],
      ['activatePlan', 'plan', 'activate'],
      ['deactivatePlan', 'plan', 'deactivate'],
      ['deletePlan', 'plan', 'delete'],
      ['createSubscription', 'subscription', 'create'],
      ['updateSubscription', 'subscription', 'update'],
      ['cancelSubscription', 'subscription', 'cancel'],
      ['suspendSubscription', 'subscription', 'suspend'],
      ['reactivateSubscription', 'subscription', 'reactivate'],
      ['createFollowOnSubscription', 'subscription', 'create'],
      ['createInvoice', 'invoice', 'create'],
      ['updateInvoice', 'invoice', 'update'],
      ['sendInvoice', 'invoice', 'send'],
      ['cancelInvoice', 'invoice', 'cancel'],
      ['publishInvoice', 'invoice', 'publish'],
      ['saveReportSubscription', 'report subscription', 'save'],
      ['deleteReportSubscription', 'report subscription', 'delete'],
      ['enrollDevice', 'enrollment', 'enroll'],
      ['chargeDevice', 'transaction', 'charge'],
      ['incrementPreauthorization', 'transaction', 'increment'],
      ['capturePreauthorization', 'transaction', 'capture'],
      ['refundDeviceTransaction', 'transaction', 'refund'],
      ['refundWithoutOriginal', 'transaction', 'credit'],
    ]);
  });
});
