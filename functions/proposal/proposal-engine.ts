export { acceptProposal } from './accepting.ts';
export { createProposal } from './creating.ts';
export { answerQuote } from './quoting.ts';
export { updateProposal } from './updating.ts';
