import type { CurveFactory } from "d3-shape";

interface Point {
  x: number;
  y: number;
}

/** The reach of the handles, as Chart.js defines it. */
const TENSION = 0.3;

/**
 * A curve through all points, as Chart.js draws a line of tension 0.3. The handles are parallel to the
 * line from neighbour to neighbour, shorter on the nearer side, and never beyond the highest or the
 * lowest point, so that the curve of amounts never falls below zero.
 */
export const smoothCurve: CurveFactory = (context) => {
  let points: Point[] = [];
  return {
    areaStart() {},
    areaEnd() {},
    lineStart() {
      points = [];
    },
    point(x, y) {
      points.push({ x, y });
    },
    lineEnd() {
      const [first] = points;
      if (!first) return;
      context.moveTo(first.x, first.y);
      for (const { from, to, end } of smoothSegments(points))
        context.bezierCurveTo(from.x, from.y, to.x, to.y, end.x, end.y);
    },
  };
};

/** The Bézier curves between the points: the handle at the start, the handle at the end, and the end. */
export function smoothSegments(points: readonly Point[]): { from: Point; to: Point; end: Point }[] {
  const heights = points.map(({ y }) => y);
  const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
  const handles = points.map((point, index) => {
    const before = points[index - 1] ?? point;
    const after = points[index + 1] ?? point;
    const [back, ahead] = [distance(before, point), distance(point, after)];
    const share = TENSION / (back + ahead || 1);
    const reach = (part: number): Point => ({
      x: point.x + part * (after.x - before.x),
      y: Math.min(Math.max(point.y + part * (after.y - before.y), top), bottom),
    });
    return { arriving: reach(-share * back), leaving: reach(share * ahead) };
  });
  return points.slice(1).map((end, index) => ({
    from: handles[index]?.leaving ?? end,
    to: handles[index + 1]?.arriving ?? end,
    end,
  }));
}

const distance = (one: Point, other: Point) => Math.hypot(other.x - one.x, other.y - one.y);
