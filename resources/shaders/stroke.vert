#version 330 core
// A round stroke whose width follows the distance; without length it is a disc. Every instance is one stroke.
layout(location = 0) in vec2 corner;  // which end, which side
layout(location = 1) in vec3 start;
layout(location = 2) in vec3 end;
layout(location = 3) in vec4 tint;
layout(location = 4) in vec4 shape;  // width in nodes, least width in pixels, taper, hole
layout(location = 5) in vec2 order;  // level, whether it fades where it is too small

uniform mat4 matrix;
uniform vec2 viewport;
uniform vec3 eye;
uniform float size;  // of a node on the screen, at distance 1
uniform float pixel;
uniform vec2 depths;
uniform float haze;
uniform vec3 ground;

flat out vec4 strokeColour;
flat out vec4 form;  // length, radius, taper, hole
noperspective out vec2 at;  // along and across, from the start, in pixels

void main() {
    // What lies over something else stands nearer along the line of sight, where nothing shifts.
    vec3 here = start + normalize(eye - start) * order.x * 0.03;
    vec3 there = end + normalize(eye - end) * order.x * 0.03;
    vec4 a = matrix * vec4(here, 1.0);
    vec4 b = matrix * vec4(there, 1.0);
    const float near = 1e-3;  // an end behind the eye has no place on the screen: cut the stroke before it
    if (a.w < near && b.w > near) a = mix(a, b, (near - a.w) / (b.w - a.w));
    if (b.w < near && a.w > near) b = mix(b, a, (near - b.w) / (a.w - b.w));
    vec2 from = a.xy / a.w * viewport * 0.5;
    vec2 to = b.xy / b.w * viewport * 0.5;
    vec2 way = to - from;
    float reach = length(way);
    vec2 along = reach > 1e-4 ? way / reach : vec2(1.0, 0.0);
    vec2 aside = vec2(-along.y, along.x);
    float distance = max(0.5 * (a.w + b.w), near);
    float wanted = shape.x * size / distance;
    float radius = 0.5 * max(wanted, shape.y * pixel);
    if (shape.z > 0.0) {  // an arrow keeps its form where it is small, and does not lie down
        float half_long = shape.z * radius * 0.95;
        float more = max(half_long - 0.5 * reach, 0.0);
        from -= along * more;
        to += along * more;
        reach += 2.0 * more;
    }
    form = vec4(reach, radius, shape.z, shape.w);
    at = vec2(corner.x < 0.5 ? -radius - 1.0 : reach + radius + 1.0, corner.y * (radius + 1.0));
    vec4 middle = corner.x < 0.5 ? a : b;
    vec2 place = (from + along * at.x + aside * at.y) / (viewport * 0.5);
    gl_Position = vec4(place * middle.w, middle.z, middle.w);
    float far = clamp((distance - depths.x) / (depths.y - depths.x), 0.0, 1.0);
    float faint = order.y > 0.5 ? clamp(2.0 * wanted / (shape.y * pixel) - 0.7, 0.0, 1.0) : 1.0;
    strokeColour = vec4(mix(tint.rgb, ground, 1.6 * haze * far), tint.a * faint);
}
