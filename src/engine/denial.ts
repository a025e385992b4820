import type { Body } from './render.ts';
import type { PlatformTool } from './tool.ts';

/** A person denied the approval. */
export function denial(operation: string, tool?: PlatformTool): Body {
  const chosen = tool?.policy.approval?.denied;
  const { said, next } = chosen ?? asksAgain;
  return {
    outcome: 'refused',
    said: `A person denied this, and nothing was sent. ${said}`,
    operation,
    next,
    error: { code: 'APPROVAL_DENIED', retry: chosen === undefined ? 'same_call' : 'never', rule: 'EN-04' },
  };
}

const asksAgain = {
  said: 'If the customer still wants it, make the same call again to ask again.',
  next: ['list_approvals'],
};
