/**
 * Operations that doccano's interface can ask for: the calls of its repositories (`frontend/repositories` of the sources
 * at 1.8.4) that a page or a component of it uses, and those of its upload box. Its pages that only show a demonstration
 * ask for nothing. Those of `bboxes` and `segments` need a project of pictures with pictures in it, `texts`, `spans` and
 * `relations` one of another kind than the three that are made before: the form for new projects offers them.
 */
export const doccanoUi: readonly string[] = [
  ...of('/auth/login', 'POST'),
  ...of('/auth/logout', 'POST'),
  ...of('/social/links', 'GET'),
  ...of('/me', 'GET'),
  ...of('/users', 'GET'),
  ...of('/roles', 'GET'),
  ...of('/tasks/status/{}', 'GET'),
  ...of('/fp/process', 'POST'),
  ...of('/fp/revert', 'DELETE'),
  ...of('/projects', 'GET', 'POST', 'DELETE'),
  ...of('/projects/{}', 'GET', 'PATCH'),
  ...below('/clone', 'POST'),
  ...below('/my-role', 'GET'),
  ...below('/members', 'GET', 'POST', 'DELETE'),
  ...below('/members/{}', 'PATCH'),
  ...below('/tags', 'GET', 'POST'),
  ...below('/tags/{}', 'DELETE'),
  ...['category', 'span', 'relation'].flatMap((kind) => [
    ...below(`/${kind}-types`, 'GET', 'POST', 'DELETE'),
    ...below(`/${kind}-types/{}`, 'GET', 'PATCH'),
  ]),
  ...below('/category-type-upload', 'POST'),
  ...below('/span-type-upload', 'POST'),
  ...below('/relation-type-upload', 'POST'),
  ...below('/examples', 'GET', 'DELETE'),
  ...below('/examples/{}', 'GET', 'PATCH'),
  ...below('/examples/{}/states', 'POST'),
  ...['categories', 'spans', 'relations', 'texts', 'bboxes', 'segments'].flatMap((kind) => [
    ...below(`/examples/{}/${kind}`, 'GET', 'POST'),
    ...below(`/examples/{}/${kind}/{}`, 'DELETE', ...(kind === 'categories' ? [] : ['PATCH'])),
    ...(kind === 'relations' ? [] : below(`/examples/{}/${kind}`, 'DELETE')),
  ]),
  ...below('/comments', 'GET', 'POST', 'DELETE'),
  ...below('/comments/{}', 'PUT', 'DELETE'),
  ...[
    'category-distribution',
    'span-distribution',
    'relation-distribution',
    'member-progress',
    'progress',
  ].flatMap((name) => below(`/metrics/${name}`, 'GET')),
  ...below('/catalog', 'GET'),
  ...below('/upload', 'POST'),
  ...below('/download-format', 'GET'),
  ...below('/download', 'GET', 'POST'),
  ...below('/auto-labeling', 'POST'),
  ...below('/auto-labeling/configs', 'GET', 'POST'),
  ...below('/auto-labeling/configs/{}', 'DELETE'),
  ...below('/auto-labeling/templates', 'GET'),
  ...below('/auto-labeling/templates/{}', 'GET'),
  ...['request', 'label-extractor', 'label-mapper'].flatMap((name) =>
    below(`/auto-labeling/${name}-testing`, 'POST'),
  ),
]

function of(path: string, ...methods: readonly string[]): string[] {
  return methods.map((method) => `${method} /v1${path}`)
}

function below(path: string, ...methods: readonly string[]): string[] {
  return of(`/projects/{}${path}`, ...methods)
}
