export { accepting } from './accepting.ts';
export { creating } from './creating.ts';
export { updating } from './updating.ts';
