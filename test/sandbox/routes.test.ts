import { describe, expect, it } from 'vitest';
import { router } from '../../src/sandbox/routes.ts';

const route = router([
  ['GET /plans/{id}', 'one'],
  ['GET /plans/code', 'next code'],
  ['POST /plans/{id}/activate', 'activate'],
  ['POST /plans/codes/activate', 'codes'],
  ['GET /plans', 'all'],
  ['POST /plans', 'create'],
]);

describe('a router', () => {
  it.each([
    ['GET', '/plans/code', { kind: 'route', to: 'next code', path: {} }],
    ['GET', '/plans/codes', { kind: 'route', to: 'one', path: { id: 'codes' } }],
    ['POST', '/plans/codes/activate', { kind: 'route', to: 'codes', path: {} }],
    ['POST', '/plans/p-1/activate', { kind: 'route', to: 'activate', path: { id: 'p-1' } }],
    ['POST', '/plans', { kind: 'route', to: 'create', path: {} }],
    ['DELETE', '/plans', { kind: 'otherMethod', allow: ['GET', 'POST', 'OPTIONS'] }],
    ['POST', '/plans/code', { kind: 'otherMethod', allow: ['GET', 'OPTIONS'] }],
    ['GET', '/plans/', { kind: 'nothing' }],
    ['GET', '/plans/a/b', { kind: 'nothing' }],
    ['GET', '/plan', { kind: 'nothing' }],
  ])('tries fixed words before names, and takes whole paths only: %s %s', (method, path, found) => {
    expect(route(method, path)).toEqual(found);
  });
});
