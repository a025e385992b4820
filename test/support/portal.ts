import type { Sandbox } from '../../src/sandbox/index.ts';

/** Writes another text wherever one stands at the platform, as somebody does in the portal: Purser hears nothing of it. */
export async function rewrite(sandbox: Sandbox, text: string, other: string): Promise<void> {
  const world = await sandbox.world.snapshot();
  const documents = JSON.stringify(world.documents).replaceAll(JSON.stringify(text), JSON.stringify(other));
  await sandbox.world.restore({ ...world, documents: JSON.parse(documents) as typeof world.documents }); // the same shape
}
