/** Import directions of the house; ARCHITECTURE.md explains them. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'kernel-knows-no-area', severity: 'error', from: { path: '^server/kernel' }, to: { path: '^server/(areas|app|cli|main)' } },
    {
      name: 'values-stand-alone',
      severity: 'error',
      from: { path: '^server/kernel/values', pathNot: '\\.test\\.ts$' },
      to: { path: '^server', pathNot: '^server/kernel/values' },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: '^server/areas/[^/]+/rules', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^server/(kernel/values|areas/[^/]+/rules)' },
    },
    {
      name: 'areas-meet-at-their-face',
      comment: 'One area imports another only through its index.ts.',
      severity: 'error',
      from: { path: '^server/areas/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/areas/([^/]+)/', pathNot: ['^server/areas/$1/', '^server/areas/[^/]+/index\\.ts$'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js'] },
  },
};
