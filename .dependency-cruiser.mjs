/**
 * Who may import whom (CONTRIBUTING.md, Layers). Types count as imports.
 * Each layer lists the folders it may import; every other import from `lib`, `functions` or `infra` is an error.
 */
const layers = {
  'lib/shared': ['lib/shared'],
  'lib/resources': ['lib/resources', 'lib/entities', 'lib/shared'],
  'lib/entities': ['lib/entities', 'lib/resources', 'lib/shared'],
  'lib/domain': ['lib/domain', 'lib/entities', 'lib/resources', 'lib/shared'],
  'lib/events': ['lib/events', 'lib/store/keys', 'lib/domain', 'lib/entities', 'lib/resources', 'lib/shared'],
  'lib/files': ['lib/files', 'lib/shared'],
  'lib/secrets': ['lib/secrets', 'lib/shared'],
  'lib/payments': ['lib/payments', 'lib/shared'],
  'lib/sign-in': ['lib/sign-in', 'lib/shared'],
  'lib/roads': ['lib/roads', 'lib/domain/postal', 'lib/shared'],
  'lib/pages': ['lib/pages', 'lib/domain', 'lib/entities', 'lib/resources', 'lib/shared'],
  'lib/messages': ['lib/messages', 'lib/pages', 'lib/domain', 'lib/entities', 'lib/resources', 'lib/shared'],
  'lib/delivery': ['lib/delivery', 'lib/shared'],
  'lib/store': ['lib/store', 'lib/domain', 'lib/entities', 'lib/resources', 'lib/shared'],
  'lib/workflows': [
    'lib/workflows',
    'lib/events',
    'lib/files',
    'lib/payments',
    'lib/sign-in',
    'lib/roads',
    'lib/delivery',
    'lib/store',
    'lib/messages',
    'lib/pages',
    'lib/domain',
    'lib/entities',
    'lib/resources',
    'lib/shared',
  ],
  'lib/api': [
    'lib/api',
    'lib/entities/api-keys',
    'lib/store/(dynamodb|requests|keys|store)',
    'lib/resources/fields',
    'lib/shared',
  ],
  'lib/client': ['lib/client'],
  functions: ['functions', 'lib'],
  infra: ['infra', 'functions', 'lib', 'package.json'],
};

/** A noun's domain imports another's in one direction only: invoices → proposals → price book → shared engines. */
const nouns = [
  { from: 'pricing|formula', to: 'proposals|invoices|payments|appointments|subscriptions|contacts' },
  { from: 'scheduling|postal', to: 'proposals|invoices|payments|pricing|subscriptions|contacts' },
  { from: 'pricebook', to: 'proposals|invoices|payments|appointments|subscriptions|contacts' },
  { from: 'proposals|subscriptions|signing', to: 'invoices|payments' },
];

/** Folders of the store in order: each imports only those in front of it. */
const storeFolders = [
  'dynamodb',
  'organizations',
  'pricebook',
  'events',
  'accounts',
  'contacts',
  'sales',
  'requests',
  'administration',
];

export default {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(layers).map(([layer, allowed]) => ({
      name: `layer: ${layer}`,
      severity: 'error',
      from: { path: `^${layer}/` },
      to: { path: '^(lib|functions|infra|test)/', pathNot: `^(${allowed.join('|')})` },
    })),
    ...nouns.map(({ from, to }) => ({
      name: `domain: ${from}`,
      severity: 'error',
      from: { path: `^lib/domain/(${from})` },
      to: { path: `^lib/domain/(${to})` },
    })),
    ...storeFolders
      .slice(0, -1)
      .map((folder, index) => ({
        name: `store: ${folder}`,
        severity: 'error',
        from: { path: `^lib/store/${folder}/` },
        to: { path: `^lib/store/(${storeFolders.slice(index + 1).join('|')})/` },
      })),
    {
      name: 'operations-stand-alone',
      comment: 'An operation imports no other; what two share is a workflow, or the definition of a twin.',
      severity: 'error',
      from: { path: '^functions/[a-z]+/(?!index)', pathNot: '^functions/(workers|fallback|pages|mcp|office)/' },
      to: { path: '^functions/', pathNot: '^functions/download-operations' },
    },
    {
      name: 'aws-sdk',
      comment:
        'Only the table client, files, secrets, sign-in, roads, delivery and workers know the AWS SDK; events decode its images.',
      severity: 'error',
      from: {
        path: '^(lib|functions)/',
        pathNot:
          '^(lib/store/dynamodb|lib/files|lib/secrets|lib/sign-in|lib/roads|lib/delivery|functions/workers|lib/events/change)',
      },
      to: { path: '@aws-sdk/' },
    },
    {
      name: 'pure',
      comment: 'Entities, domain, events and resources have no input or output; zlib only computes.',
      severity: 'error',
      from: { path: '^lib/(entities|domain|events|resources)/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?zlib$' },
    },
    {
      name: 'cli-and-local',
      comment: 'The command-line tool and the local stack share code through lib only.',
      severity: 'error',
      from: { path: '^infra/(cli|local)/' },
      to: { path: '^infra/(cli|local)/', pathNot: '^infra/$1/' },
    },
    {
      name: 'client-alone',
      comment: 'The client runs in browsers and workers too, without any package.',
      severity: 'error',
      from: { path: '^lib/client/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    },
    { name: 'no-infra', severity: 'error', from: { path: '^(lib|functions)/' }, to: { path: '^(infra|test)/' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
