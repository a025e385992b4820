import { purserCatalogue } from '../../evals/catalogue.ts';
import { tasksOf } from '../../evals/export/tau2.ts';
import { loadFixture, loadScenarios } from '../../evals/load.ts';
import { worldsOf } from '../../evals/place.ts';
import { redactor } from '../../evals/redact.ts';
import { openStage } from '../../evals/world.ts';
import { guarded } from '../evals/ending.ts';
import { sayJson } from '../say.ts';
import { version } from '../version.ts';
import { common } from './eval.ts';

/** `purser eval export`: the scenarios as tasks in tau2's fields. */
export const exportTasks = (paths: readonly string[], options: { readonly fixtures: string }): Promise<number> =>
  guarded(async () => {
    const loaded = await loadScenarios(common(paths, options).paths, purserCatalogue);
    const place = worldsOf(await openStage({ fixture: (name) => loadFixture(options.fixtures, name), version }));
    try {
      sayJson(redactor()(await tasksOf(loaded, place)));
      return 0;
    } finally {
      await place.close();
    }
  });
