#version 330 core
// A line of constant width on the screen: a quad between two points; every instance is one line.
layout(location = 0) in vec2 corner;  // which end, which side
layout(location = 1) in vec3 start;
layout(location = 2) in vec3 end;
layout(location = 3) in vec4 tint;
layout(location = 4) in float width;

uniform mat4 matrix;
uniform vec2 viewport;
uniform float pixel;

flat out vec4 lineColour;
out float across;
flat out float halfWidth;

void main() {
    vec4 a = matrix * vec4(start, 1.0);
    vec4 b = matrix * vec4(end, 1.0);
    const float near = 1e-3;  // an end behind the eye has no place on the screen: cut the line off before it
    if (a.w < near && b.w > near) a = mix(a, b, (near - a.w) / (b.w - a.w));
    if (b.w < near && a.w > near) b = mix(b, a, (near - b.w) / (a.w - b.w));
    vec2 from = a.xy / a.w * viewport * 0.5;
    vec2 to = b.xy / b.w * viewport * 0.5;
    vec2 way = to - from;
    float reach = length(way);
    vec2 along = reach > 1e-6 ? way / reach : vec2(1.0, 0.0);
    vec2 aside = vec2(-along.y, along.x);
    halfWidth = max(width * pixel, 1.0) * 0.5;
    float spread = halfWidth + 0.5;
    vec4 here = corner.x < 0.5 ? a : b;
    float out_ = corner.x < 0.5 ? -1.0 : 1.0;
    across = corner.y * spread;
    here.xy += (aside * across + along * out_ * halfWidth * 0.8) / (viewport * 0.5) * here.w;
    here.z -= 2e-4 * here.w;  // before the faces whose edge it is
    gl_Position = here;
    lineColour = tint;
}
