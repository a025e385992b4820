import { tasksOf } from '../../../evals/harness/export/tau2.ts';
import { redactor } from '../../../evals/harness/redaction/redact.ts';
import { worldsAsTarget } from '../../../evals/harness/replay/target.ts';
import { purserCatalogue } from '../../../evals/harness/scenario/catalogue.ts';
import { loadFixture, loadScenarios } from '../../../evals/harness/scenario/load.ts';
import { openTestHarness } from '../../../evals/harness/world/world.ts';
import { guarded } from '../evals/ending.ts';
import { sayJson } from '../say.ts';
import { version } from '../version.ts';
import { common } from './eval.ts';

/** `purser eval export`: the scenarios as tasks in tau2's fields. */
export const exportTasks = (paths: readonly string[], options: { readonly fixtures: string }): Promise<number> =>
  guarded(async () => {
    const loaded = await loadScenarios(common(paths, options).paths, purserCatalogue);
    const place = worldsAsTarget(
      await openTestHarness({ fixture: (name) => loadFixture(options.fixtures, name), version }),
    );
    try {
      sayJson(redactor()(await tasksOf(loaded, place)));
      return 0;
    } finally {
      await place.close();
    }
  });
