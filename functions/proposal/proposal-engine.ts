export { accepting } from './accepting.ts';
export { creating } from './creating.ts';
export { quoting } from './quoting.ts';
export { updating } from './updating.ts';
