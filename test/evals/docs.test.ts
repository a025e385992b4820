import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { grade } from '../../evals/harness/graders/grade.ts';
import { defineScenario, type ScenarioInput, scenarioJsonSchema } from '../../evals/harness/scenario/schema.ts';
import { blocks } from '../docs/pages.ts';
import { read } from '../house/files.ts';
import { playOn, stageOfFile } from './support.ts';

const stage = stageOfFile();

describe('the page on evals', () => {
  it('shows a scenario that passes', async () => {
    const [yaml] = blocks('docs/evals.md').filter(({ language }) => language === 'yaml');
    const scenario = defineScenario(parse(yaml?.text ?? '') as ScenarioInput); // the schema judges it
    expect(grade(await playOn(stage(), scenario))).toEqual([]);
  });

  it('stands beside the schema that the command prints', () => {
    expect(JSON.parse(read('docs/scenario.schema.json'))).toEqual(scenarioJsonSchema());
  });
});
