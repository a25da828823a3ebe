/**
 * `node scripts/world-outline.ts`: the outlines of the world map, from the public domain data of Natural Earth that the
 * package world-atlas brings. Run it again after an update of that package; the result is kept in the repository.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Point = readonly [x: number, y: number]

interface Geometry {
  readonly type: 'Polygon' | 'MultiPolygon'
  /** ISO 3166-1 numeric. */
  readonly id?: string
  readonly arcs: readonly (readonly number[])[] | readonly (readonly (readonly number[])[])[]
}

interface Topology {
  readonly transform: { readonly scale: Point; readonly translate: Point }
  readonly arcs: readonly (readonly Point[])[]
  readonly objects: { readonly countries: { readonly geometries: readonly Geometry[] } }
}

const WIDTH = 720
/** The map ends here: there is no traffic from Antarctica. */
const SOUTH = -58
const NORTH = 84
const HEIGHT = Math.round(((NORTH - SOUTH) / 360) * WIDTH)
const TARGET = new URL('../src/dashboard/pages/threats/map/world-outline.generated.ts', import.meta.url)

function load(name: string): Topology {
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(`world-atlas/${name}`), 'utf8'))
}

/** Rings of a geometry as points of the map, each polygon's outer ring and holes alike. */
function rings(topology: Topology, geometry: Geometry): Point[][] {
  const { scale, translate } = topology.transform
  const arcs = topology.arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]): Point => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
    })
  })
  const polygons = (geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs) as number[][][]
  return polygons.flatMap((polygon) =>
    polygon.map((ring) =>
      ring
        .flatMap((at) => (at < 0 ? arcs[~at]!.toReversed() : arcs[at]!))
        .map(
          ([longitude, latitude]): Point => [
            ((longitude + 180) / 360) * WIDTH,
            ((NORTH - Math.max(latitude, SOUTH)) / (NORTH - SOUTH)) * HEIGHT,
          ],
        ),
    ),
  )
}

function areaOf(ring: readonly Point[]): number {
  return Math.abs(
    ring.reduce((sum, [x, y], at) => {
      const [nextX, nextY] = ring[(at + 1) % ring.length]!
      return sum + x * nextY - nextX * y
    }, 0) / 2,
  )
}

/** The parts of a ring that crosses the edge of the map, each on its side; the ring itself where it does not. */
function partsOf(ring: readonly Point[]): Point[][] {
  const parts: Point[][] = [[]]
  for (const [at, point] of ring.entries()) {
    const before = ring[at - 1]
    if (before !== undefined && Math.abs(point[0] - before[0]) > WIDTH / 2) parts.push([])
    parts.at(-1)!.push(point)
  }
  if (parts.length === 1) return parts
  // The ring begins within the part that it ends in.
  const last = parts.pop()!
  return [[...last, ...parts[0]!], ...parts.slice(1)]
}

/** A path with whole numbers; points that fall together are one. */
function pathOf(ring: readonly Point[]): string {
  return partsOf(ring).map(closedPath).join('')
}

function closedPath(ring: readonly Point[]): string {
  const points = ring.map(([x, y]) => `${Math.round(x)} ${Math.round(y)}`)
  const apart = points.filter((point, at) => point !== points[at - 1])
  return apart.length < 3 ? '' : `M${apart.join('L')}Z`
}

/** The middle of the largest part. */
function middleOf(all: readonly Point[][]): Point {
  const largest = all.reduce((found, ring) => (areaOf(ring) > areaOf(found) ? ring : found))
  const [xs, ys] = [largest.map(([x]) => x), largest.map(([, y]) => y)]
  const middle = (values: number[]): number => Math.round((Math.min(...values) + Math.max(...values)) / 2)
  return [middle(xs), middle(ys)]
}

/** Two letters of a country by its number; undefined for areas without one. */
function lettersOf(id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  const found = new Intl.Locale(`und-${id.padStart(3, '0')}`).region
  return found !== undefined && /^[A-Z]{2}$/.test(found) ? found : undefined
}

const coarse = load('countries-110m.json')
const land = coarse.objects.countries.geometries
  .flatMap((geometry) => {
    const code = lettersOf(geometry.id)
    if (code === 'AQ') return []
    return [[code ?? '', rings(coarse, geometry).map(pathOf).join('')] as const]
  })
  .sort(([a], [b]) => (a < b ? -1 : 1))
const fine = load('countries-50m.json')
const middles = fine.objects.countries.geometries
  .flatMap((geometry) => {
    const code = lettersOf(geometry.id)
    return code === undefined || code === 'AQ' ? [] : [[code, middleOf(rings(fine, geometry))] as const]
  })
  .sort(([a], [b]) => (a < b ? -1 : 1))
const unique = [...new Map(middles)]

writeFileSync(
  TARGET,
  `// Written by scripts/world-outline.ts from Natural Earth, which is in the public domain.

export const mapWidth = ${WIDTH}
export const mapHeight = ${HEIGHT}

/** Outlines by country of two letters; '' for areas without a code. */
export const outlines: readonly (readonly [code: string, path: string])[] = [
${land.map(([code, path]) => `  ['${code}', '${path}'],`).join('\n')}
]

/** Where the mark of a country is, also of those that are too small to be drawn. */
export const middles: Readonly<Record<string, readonly [x: number, y: number]>> = {
${unique.map(([code, [x, y]]) => `  ${code}: [${x}, ${y}],`).join('\n')}
}
`,
)
console.log(`${land.length} outlines, ${unique.length} middles`)
