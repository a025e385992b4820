import type { Model, ModelOptions } from './model.ts';

/** Opens a model. What its API needs is loaded now; throws MissingPackage where it is not installed. */
export async function openModel(options: ModelOptions): Promise<Model> {
  switch (options.api) {
    case 'chat':
      return (await import('./chat.ts')).chatModel(options);
    case 'responses':
      return (await import('./responses.ts')).responsesModel(options);
    case 'langchain':
      return (await import('./langchain.ts')).langchainModel(options);
  }
}
