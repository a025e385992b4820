import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/core/operation.ts';
import { reporting } from '../../src/domains/reporting/contract.ts';
import { definitionNames, definitions } from '../../src/domains/reporting/definitions.ts';
import { reportingReadError } from '../../src/domains/reporting/errors.ts';
import { documentedGroups, reportFields } from '../../src/domains/reporting/field-groups.ts';
import { reportStatuses } from '../../src/domains/reporting/report-shapes.ts';
import { report } from '../../src/domains/reporting/sandbox/machines.ts';
import { timeZones } from '../../src/domains/reporting/time-zones.ts';
import { section, table } from './document.ts';
import { everyCell, valuations } from './machine-grid.ts';

const document = 'document-3-reporting.md';
const operations: readonly (readonly [string, Operation])[] = Object.entries(reporting);

describe('the endpoints of document 3', () => {
  const rows = table(document, 'Endpoints of reporting').flatMap(([, methods = '', path = '']) =>
    methods.split(' or ').map((method) => `${method} ${path.split(/[? ]/)[0]}`),
  );

  it.each(operations)('has %s as it is printed', (_, { call, also = [] }) => {
    expect([call, ...also].filter((route) => !rows.includes(route))).toEqual([]);
  });
});

describe('the report definitions', () => {
  it('are the 18 of the document, in its order', () => {
    const printed = [...section(document, 'Report definitions').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(printed).toHaveLength(18);
    expect(definitionNames).toEqual(printed);
  });

  it('have the ids of public facts, which are 17', () => {
    const ids = definitions.flatMap(({ id }) => id ?? []);
    expect(ids.toSorted((one, other) => one - other)).toEqual([
      ...[210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222],
      ...[271, 310, 400, 620],
    ]);
  });
});

describe('the field groups', () => {
  const lines = section(document, 'Report field groups').split('\n');
  /** The names that a line prints: without remarks in parentheses and the values of a field. */
  const namesIn = (line: string): readonly string[] =>
    line
      .slice(line.indexOf(': ') + 2)
      .replaceAll(/ \([^)]*\)/g, '')
      .replace(/\.$/, '')
      .split(', ');
  const prefixed = lines.flatMap((line) => {
    const [, prefix] = /\(prefix `(\w+):?`\)/.exec(line) ?? [];
    return prefix === undefined ? [] : [[prefix, namesIn(line.slice(line.indexOf(')') + 1))] as const];
  });

  it.each(prefixed)('has %s as the document prints it', (prefix, names) => {
    expect(Object.entries(documentedGroups).find(([group]) => group === prefix)?.[1]).toEqual(names);
  });

  it('has the groups without a prefix, too', () => {
    const line = (start: string) => lines.find((it) => it.startsWith(start)) ?? '';
    expect(documentedGroups.Sender).toEqual(namesIn(line('- Sender')));
    expect(documentedGroups.SCAExemption.filter((name) => !line('- SCA').includes(`\`${name}\``))).toEqual([]);
    const tokens = [documentedGroups.NetworkToken, documentedGroups.TMSToken, documentedGroups.Token].flat();
    expect(tokens.filter((name) => !line('- Token').includes(name))).toEqual([]);
    expect(Object.keys(documentedGroups)).toHaveLength(prefixed.length + 5);
  });

  it('write each field once, as Group.Name', () => {
    const ids = reportFields.map(({ id }) => id);
    expect(ids.filter((id) => !/^[A-Za-z]+\.[A-Za-z0-9]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

// What the sandbox's table does, by hand (D-26). What is not written here is refused.
describe('the table of a report', () => {
  it('does in every cell what is written here, and has every state of the document', () => {
    const facts = valuations({ crowded: [false, true], filled: [false, true] });
    const grid = {
      none: { create: 'PENDING' },
      PENDING: { queue: 'QUEUED', fail: 'ERROR' },
      QUEUED: { run: { crowded: ['RUNNING', 'QUEUED'] as const }, fail: 'ERROR' },
      RUNNING: { finish: { filled: ['NO_DATA', 'COMPLETED'] as const }, fail: 'ERROR' },
      ...{ COMPLETED: {}, NO_DATA: {}, ERROR: {} },
    };
    const { actual, expected } = everyCell(report as never, grid as never, facts);
    expect(actual).toEqual(expected);
    const printed = [...section(document, 'Report status values').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(reportStatuses).toEqual(printed);
    expect(report.existing.toSorted()).toEqual(printed.toSorted());
  });
});

describe('the time zones', () => {
  it('are those of the document, each known to the runtime', () => {
    expect(timeZones).toEqual(section(document, 'Time zones').replace(/\.$/, '').split(', '));
    expect(timeZones.filter((timeZone) => !isKnown(timeZone))).toEqual([]);
  });

  const isKnown = (timeZone: string): boolean => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  };
});

describe('the error body', () => {
  const report = { reason: 'INVALID_DATA', message: 'No.', field: 'x', at: '2026-01-15T09:00:00Z' } as const;
  const details = [{ field: 'x', reason: 'INVALID_DATA' }];

  it('has no status, and none at all for a 404 of what is read', () => {
    const body = { submitTimeUtc: report.at, reason: 'INVALID_DATA', message: 'No.', details };
    expect(reportingReadError.toBody({ ...report, details, status: 400 })).toEqual(body);
    expect(reportingReadError.toBody({ ...report, details, status: 404 })).toBeUndefined();
  });
});
