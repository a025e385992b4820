import { machine } from '../../core/machine.ts';

/** The authentication of a tokenized card, as far as its machine looks at it. */
export interface Authentication {
  readonly state: string;
  /** What the platform answered in `action`; empty before it has answered. */
  readonly action: string;
}

/**
 * Document 1, "Passkey authentication actions". The document prints steps and results; a state here is the last result, or
 * what the last step left behind (D-60). Each new set of options starts again from `none`.
 */
export const authentication = machine('authentication', {
  source: 'document 1',
  // biome-ignore format: a table
  rows: [
    ['none',                        'options',  'device and token combination registered, authentication takes place in the iframe', 'AUTHENTICATE',                'use authenticationContext in the iframe, then create payment credentials'],
    ['none',                        'options',  'not registered, issuer challenged the binding',  'STEP_UP_AUTHENTICATE',        'choose a stepUpOptions[] entry; for OTP_SMS, OTP_EMAIL, OTP_ONLINE_BANKING create an OTP then validate it'],
    ['none',                        'options',  'not registered, issuer approved the binding',    'AUTHENTICATION_REGISTRATION', 'create authentication registration'],
    ['STEP_UP_AUTHENTICATE',        'validate', 'code accepted',                                  'AUTHENTICATION_REGISTRATION', 'create authentication registration'],
    ['STEP_UP_AUTHENTICATE',        'approve',  'notification that binding was approved',         'AUTHENTICATION_REGISTRATION', 'create authentication registration'],
    ['AUTHENTICATION_REGISTRATION', 'register', '',                                               'REGISTRATION_CREATED',        'use the iframe with the returned endpoint, then optionally create payment credentials from authenticatedIdentities'],
  ],
  // biome-ignore format: a table
  assumed: [
    ['STEP_UP_AUTHENTICATE',        'send',     '',                                               'STEP_UP_AUTHENTICATE',        'a code is on its way to the customer'],
    ['REGISTRATION_CREATED',        'register', '',                                               'REGISTRATION_CREATED',        'a new context replaces one that was not used'],
    ['AUTHENTICATE',                'release',  '',                                               'AUTHENTICATED',               'the customer has authenticated in the iframe'],
    ['REGISTRATION_CREATED',        'release',  '',                                               'AUTHENTICATED',               'the customer has registered the device in the iframe'],
  ],
  conditions: {
    'device and token combination registered, authentication takes place in the iframe': (it: Authentication) =>
      it.action === 'AUTHENTICATE',
    'not registered, issuer challenged the binding': (it: Authentication) => it.action === 'STEP_UP_AUTHENTICATE',
    // Before an answer nothing contradicts it.
    'not registered, issuer approved the binding': (it: Authentication) => approves(it),
    'code accepted': (it: Authentication) => approves(it),
    'notification that binding was approved': (it: Authentication) => approves(it),
  },
  answered: [
    'device and token combination registered, authentication takes place in the iframe',
    'not registered, issuer challenged the binding',
    'not registered, issuer approved the binding',
  ],
  breach: { options: 'EN-03', send: 'PK-03', validate: 'PK-03', approve: 'PK-08', register: 'PK-08', release: 'PK-09' },
  actors: { validate: 'customer', approve: 'platform', release: 'customer' },
  order: { usual: ['register', 'send', 'options'], givesUp: [] },
});

/** Whether the issuer has approved the binding of a device in this state, which is not registered yet. */
export const isBindingApproved = (state: string): boolean => authentication.endsOf('approve').includes(state);
/** Whether the issuer asks for a further proof in this state. */
export const isChallenged = (state: string): boolean => authentication.startsOf('send').includes(state);

const approves = ({ action }: Authentication): boolean => ['', 'AUTHENTICATION_REGISTRATION'].includes(action);
