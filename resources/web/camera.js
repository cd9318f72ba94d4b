"use strict";
// The camera of the solid mesh: a turntable that keeps the up direction; the same as in the program's window.

const VIEWS = { home: [-58, 24], top: [-90, 90], front: [-90, 0], side: [0, 0] };
const FIELD = 26, STRAIGHT_FIELD = 0.5, ASKEW = 18; // degrees, also off an axis where the full field is reached
const MARGIN = { 2: 28, 3: 40 }; // pixels around a fitted mesh, for numbers and letters
const PLATE = 0.35; // the height of a 2D mesh
const FROM_ABOVE = 0.999;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a, b, times = 1) => [a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]];
const radians = (degrees) => (degrees * Math.PI) / 180;

/** The extents of a run's mesh in space. */
function spaceOf(run) {
  const [w, d, h] = run.shape;
  return [w, d, h - 1 + (run.dims === 2 ? PLATE : 1)];
}

function cornersOf(low, high) {
  return Array.from({ length: 8 }, (_, n) => [n & 1 ? high[0] : low[0], n & 2 ? high[1] : low[1], n & 4 ? high[2] : low[2]]);
}

class Camera {
  constructor(pose, aspect, reach = 100) {
    this.pose = pose;
    this.aspect = aspect;
    const [a, e] = [radians(pose.azimuth), radians(pose.elevation)];
    const [ca, sa, ce, se] = [Math.cos(a), Math.sin(a), Math.cos(e), Math.sin(e)];
    this.back = [ce * ca, ce * sa, se];
    this.right = [-sa, ca, 0];
    this.up = [-se * ca, -se * sa, ce];
    const half = Math.tan(radians(this.field) / 2);
    this.distance = pose.extent / 2 / half;
    this.eye = plus(pose.target, this.back, this.distance);
    const near = Math.max(this.distance - reach, this.distance * 0.02), far = this.distance + reach;
    const rows = [this.right, this.up, this.back].map((way) => [...way, -dot(way, this.eye)]);
    const deep = (far + near) / (near - far);
    this.rows = [
      rows[0].map((x) => x / (half * aspect)),
      rows[1].map((x) => x / half),
      rows[2].map((x, place) => x * deep + (place === 3 ? (2 * far * near) / (near - far) : 0)),
      rows[2].map((x) => -x),
    ];
    this.matrix = new Float32Array(16); // column by column
    for (let column = 0; column < 4; column++) for (let row = 0; row < 4; row++) this.matrix[4 * column + row] = this.rows[row][column];
  }

  get field() {
    const most = Math.min(Math.max(...this.back.map(Math.abs)), 1);
    const share = Math.min((Math.acos(most) * 180) / Math.PI / ASKEW, 1);
    return STRAIGHT_FIELD + (FIELD - STRAIGHT_FIELD) * share * share * (3 - 2 * share);
  }

  /** A point in the picture: x and y from -1 to 1, and its depth. */
  project(point) {
    const [x, y, , w] = this.rows.map((row) => dot(row, point) + row[3]);
    return [x / Math.max(w, 1e-9), y / Math.max(w, 1e-9), w];
  }

  /** The direction from the eye through a point of the picture. */
  ray(x, y) {
    const half = this.pose.extent / 2;
    const onto = plus(plus(this.pose.target, this.right, x * half * this.aspect), this.up, y * half);
    const way = plus(onto, this.eye, -1), long = Math.hypot(...way);
    return way.map((part) => part / long);
  }

  get straightDown() {
    return this.back[2] > FROM_ABOVE;
  }
}

function moved(pose, right, up) {
  const camera = new Camera(pose, 1);
  const across = camera.right.map((part, axis) => right * part + up * camera.up[axis]);
  return { ...pose, target: plus(pose.target, across, pose.extent) };
}

function turned(pose, azimuth, elevation) {
  const around = ((pose.azimuth + azimuth + 540) % 360) - 180;
  return { ...pose, azimuth: around, elevation: Math.min(Math.max(pose.elevation + elevation, -90), 90) };
}

function zoomed(pose, factor, right = 0, up = 0) {
  const share = 1 - 1 / factor;
  return { ...moved(pose, right * share, up * share), extent: pose.extent / factor };
}

/** The pose from a side at which the mesh fills the picture but for its margins. */
function fitted([azimuth, elevation], size, dims, width, height) {
  const aspect = width / Math.max(height, 1), margin = MARGIN[dims];
  const margins = [Math.min(margin / Math.max(width, 1), 0.2), Math.min(margin / Math.max(height, 1), 0.2)];
  const corners = cornersOf([0, 0, 0], size);
  let pose = { azimuth, elevation, target: size.map((side) => side / 2), extent: 2 * Math.hypot(...size) };
  for (let round = 0; round < 6; round++) {
    const camera = new Camera(pose, aspect), seen = corners.map((corner) => camera.project(corner));
    const [low, high] = [Math.min, Math.max].map((end) => [0, 1].map((axis) => end(...seen.map((point) => point[axis]))));
    const centre = [0, 1].map((axis) => (low[axis] + high[axis]) / 2);
    const reach = [0, 1].map((axis) => (high[axis] - low[axis]) / 2);
    const fill = Math.max(reach[0] / (1 - 2 * margins[0]), reach[1] / (1 - 2 * margins[1]), 1e-6);
    pose = moved(pose, (centre[0] * aspect) / 2, centre[1] / 2);
    pose = { ...pose, extent: pose.extent * fill };
  }
  return pose;
}
