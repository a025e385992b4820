/** The folders of `purser eval`, where no others are named. */
export const usualFolders = { fixtures: 'evals/fixtures', out: 'evals/results' } as const;
