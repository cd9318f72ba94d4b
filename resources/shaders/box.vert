#version 330 core
// A box between two corners, as the three faces that the eye can see; every instance is one box.
layout(location = 0) in vec3 corner;  // in the face: along its two axes, and which axis it stands on
layout(location = 1) in vec3 low;
layout(location = 2) in vec3 high;
layout(location = 3) in vec4 fill;
layout(location = 4) in vec4 edge;
layout(location = 5) in float width;
layout(location = 6) in vec4 lines;  // two families of the hatching, (across, down) each; zeros without

uniform mat4 matrix;
uniform vec3 light;
uniform float ambient;
uniform float key;
uniform vec3 eye;
uniform vec3 ground;
uniform float haze;
uniform vec2 depths;
uniform vec2 viewport;
uniform float size;
uniform float pixel;
uniform vec2 fine;
uniform vec2 wide;
uniform float strength;

out vec2 place;
flat out vec4 area;  // its sides, and a pixel halfway between lines
flat out vec4 fillColour;
flat out vec4 edgeColour;
flat out vec4 ways;  // steps across lines over a pixel to the right and up
flat out vec4 lineColour;  // and the pixels from line to line
flat out vec2 rim;  // how many pixels within the face its edge ends, and what of it bears a pixel of the face
flat out vec2 fading;  // into the ground: what it grows by with the depth, and at depth 0

void main() {
    int axis = int(corner.z);
    int u = (axis + 1) % 3;
    int v = (axis + 2) % 3;
    vec3 extent = high - low;
    place = corner.xy * vec2(extent[u], extent[v]);
    vec2 side = vec2(extent[u], extent[v]);
    bool upper = eye[axis] > high[axis];
    bool turned = upper || eye[axis] < low[axis];
    vec3 at = low;
    at[u] += place.x;
    at[v] += place.y;
    if (upper) at[axis] = high[axis];
    vec3 normal = vec3(0.0);
    normal[axis] = upper ? 1.0 : -1.0;
    // Soft light from everywhere, and a key light that goes with the eye: what faces it shows its true colour.
    float shade = min(1.0, ambient + key * max(dot(normal, light), 0.0));
    fillColour = vec4(fill.rgb * shade, fill.a);
    edgeColour = edge;
    rim = width > 0.0 ? vec2(width * pixel - 0.5, 1.0 / (8.0 * pixel)) : vec2(-1.0, 0.0);
    fading = haze * vec2(1.0, -depths.x) / (depths.y - depths.x);
    gl_Position = turned ? matrix * vec4(at, 1.0) : vec4(0.0, 0.0, 2.0, 1.0);  // turned away: nowhere

    vec3 mid = (low + high) / 2.0;
    mid[axis] = at[axis];
    vec4 middle = matrix * vec4(mid, 1.0);
    float room = min(side.x, side.y) * size / (middle.w * pixel);
    float pitch = (room >= wide.x ? wide.y : room >= fine.x ? fine.y : 0.0) * pixel;
    vec2 point = floor((middle.xy / middle.w * 0.5 + 0.5) * viewport) + 0.5;
    area = vec4(side, point - 0.5 * pitch * (lines.x == 0.0 ? vec2(0.0, 1.0) : vec2(1.0, 0.0)));
    bool hatched = pitch > 0.0 && lines != vec4(0.0);
    ways = hatched ? vec4(lines.x, -lines.y, lines.z, -lines.w) / pitch : vec4(0.0);
    // A line goes towards white or black, away from letters in the middle of the face: they lose no contrast.
    vec3 shown = mix(fillColour.rgb, ground, clamp(fading.x * middle.w + fading.y, 0.0, haze));
    vec3 linear = mix(shown / 12.92, pow((shown + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), shown));
    float luminance = dot(linear, vec3(0.2126, 0.7152, 0.0722)) + 0.05;
    float towards = luminance * luminance < 1.05 * 0.05 ? 0.0 : 1.0;
    vec3 drawn = mix(fillColour.rgb, vec3(towards), hatched ? strength : 0.0);
    lineColour = vec4(drawn, hatched ? pitch / length(lines.xy) : 0.0);
}
