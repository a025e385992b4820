import type { Model, ModelOptions } from './model.ts';

/** Opens a model and loads its API's package. Throws MissingPackage if that isn't installed. */
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
