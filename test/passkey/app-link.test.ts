import { expect, it } from 'vitest';
import { takeStep } from '../../src/engine/customer-steps.ts';
import { authentication } from '../engine/passkey.ts';
import type { Said } from '../engine/support.ts';
import { agentCaller, instrumentOf, secrets, world } from '../faces/support.ts';

it('the link that the app is given is for the authentication of an agent, whose customer enters the code', async () => {
  const { running, http } = await world({
    replace: { reach: { page: () => 'https://purser.test', linkKey: () => secrets.person } },
  });
  const { engine } = running;
  const begun = (await engine.call(
    'create_authentication_options',
    authentication({ card: 'card_bo' }),
    agentCaller,
  )) as Said;
  const sent = (await engine.call(
    'create_one_time_password',
    { authentication: begun.data.authentication, option: 'option_1', request_number: 1 },
    { tenant: 'default', principal: 'app', role: 'app' },
  )) as Said;
  const [, link = ''] = String(sent.data.waiting_for.page).split('#');
  const { code } = (await http('GET', `/sandbox/authentications/${instrumentOf('card_bo')}/code`)).body;
  expect(await takeStep(engine, 'default', link, { code })).toMatchObject({ outcome: 'done', isOpen: false });
});

it('the app is given the options of a step-up, with what opens the app of the issuer, which the agent is not', async () => {
  const { running, http } = await world();
  const begun = (await running.engine.call(
    'create_authentication_options',
    authentication({ card: 'card_bo' }),
    agentCaller,
  )) as Said;
  const handle: string = begun.data.authentication;
  const { status, body } = await http('GET', `/things/${handle}`, 'app');
  expect([status, Object.keys(body), body.state]).toEqual([200, ['state', 'stepUpOptions'], 'STEP_UP_AUTHENTICATE']);
  expect(body.stepUpOptions).toHaveLength(6);
  expect(body.stepUpOptions[3]).toEqual({
    ...{ option: 'option_4', method: 'APP_TO_APP', value: 'Example Bank app', platformType: 'WEB' },
    ...{ source: 'https://app.example.com/approve', requestPayload: 'eyJhcHAiOiJleGFtcGxlIn0' },
  });
  expect(JSON.stringify(begun)).not.toContain('eyJhcHAiOiJleGFtcGxlIn0');
  expect((await http('GET', `/things/${handle}`)).status).toBe(401);
  await http('POST', `/sandbox/authentications/${instrumentOf('card_bo')}/approve`, undefined, {});
  await running.engine.call('create_authentication_options', authentication({ card: 'card_bo' }), agentCaller);
  expect((await http('GET', `/things/${handle}`, 'app')).status).toBe(404);
});
