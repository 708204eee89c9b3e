import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Resources } from './grants.ts';

/*
 * Permissions that functions of the last release use and those of this version do not. While a deployment shifts calls,
 * and during a rollback, functions of both run with the same role, so a permission is removed one release after its
 * last use. test/infra/former-grants.test.ts compares with the grants of the last release. Decision 11 says how both
 * continue after a release.
 */

/** By function name. */
const former: Readonly<Record<string, (resources: Resources) => PolicyStatement[]>> = {};

export const formerStatements = (name: string, resources: Resources): PolicyStatement[] =>
  former[name]?.(resources) ?? [];
