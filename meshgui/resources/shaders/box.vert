#version 330 core
// A unit cube stretched between two corners; every instance is one box.
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 low;
layout(location = 3) in vec3 high;
layout(location = 4) in vec4 fill;
layout(location = 5) in vec4 edge;
layout(location = 6) in float width;

uniform mat4 matrix;
uniform vec3 light;

out vec2 place;
flat out vec2 side;
flat out vec4 fillColour;
flat out vec4 edgeColour;
flat out float edgeWidth;

void main() {
    vec3 size = high - low;
    vec3 along = corner * size;
    // The two coordinates within the face.
    vec3 face = abs(normal);
    place = face.x > 0.5 ? along.yz : face.y > 0.5 ? along.xz : along.xy;
    side = face.x > 0.5 ? size.yz : face.y > 0.5 ? size.xz : size.xy;
    // Soft light from everywhere, and a key light that goes with the eye: what faces it shows its true colour.
    float shade = min(1.0, 0.76 + 0.31 * max(dot(normal, light), 0.0));
    fillColour = vec4(fill.rgb * shade, fill.a);
    edgeColour = edge;
    edgeWidth = width;
    gl_Position = matrix * vec4(low + along, 1.0);
}
